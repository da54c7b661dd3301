import { type Dropped, eventTime, type TelemetryEvent } from "@whence/protocol";
import { clickHouseTime } from "./clickhouse-time.ts";
import type { StoredEvent, StoredLosses } from "./event-store.ts";

/** What a client nests deeper is no use to a reader, and JSON.stringify recurses. */
const nestingMax = 100;
/** What `retention_days` holds; 80 years and more are for ever anyway (`retention.ts`). */
const retentionDaysMax = 4_294_967_295;

/** The columns of a row, in the order of {@link toRows}. */
export const rowColumns = [
  "scope_id",
  "service",
  "timestamp",
  "id",
  "received_at",
  "env",
  "release",
  "type",
  "level",
  "instance",
  "host",
  "route",
  "fingerprint",
  "trace_id",
  "payload",
  "seq",
  "dropped",
  "retention_days",
] as const;

/**
 * The rows of events as lines of TabSeparated, without their ends: each event whole, as JSON, and beside it what
 * questions filter by. That format, because JSON's only character it must escape is the backslash; as JSON within JSON
 * each quote is escaped again. Never throws: one event that is odd must not cost its neighbors.
 */
export function toRows(events: readonly StoredEvent[]): string[] {
  let common: Common | undefined;
  return events.map((stored) => {
    if (common === undefined || !isOfOneBatch(common.of, stored)) common = commonOf(stored);
    return toRow(stored, common);
  });
}

/** What the rows of one batch share, made once for all of them. */
interface Common {
  readonly of: StoredEvent;
  readonly receivedAtMs: number;
  readonly scopeId: string;
  readonly service: string;
  readonly receivedAt: string;
  readonly env: string;
  readonly release: string;
  readonly instance: string;
  readonly host: string;
  readonly retentionDays: number;
  /** The beginning of the event as JSON. */
  readonly json: string;
}

function isOfOneBatch(one: StoredEvent, other: StoredEvent): boolean {
  return (
    one.host === other.host &&
    one.sdk === other.sdk &&
    one.scopeId === other.scopeId &&
    one.service === other.service &&
    one.receivedAt === other.receivedAt &&
    one.env === other.env &&
    one.release === other.release &&
    one.instance === other.instance &&
    one.retentionDays === other.retentionDays
  );
}

function commonOf(stored: StoredEvent): Common {
  const { event: _event, eventText: _text, fingerprint: _fingerprint, dropped: _dropped, ...rest } = stored;
  const { claimedAt: _claimedAt, ...common } = rest;
  const receivedAtMs = Date.parse(stored.receivedAt);
  return {
    of: stored,
    receivedAtMs,
    scopeId: field(stored.scopeId),
    service: field(stored.service),
    receivedAt: clickHouseTime(receivedAtMs),
    env: field(stored.env),
    release: field(stored.release),
    instance: field(stored.instance),
    host: field(stored.host.name),
    retentionDays: days(stored.retentionDays),
    json: JSON.stringify(common).slice(0, -1),
  };
}

function toRow(stored: StoredEvent, common: Common): string {
  const { event } = stored;
  return [
    common.scopeId,
    common.service,
    timeOf(event.timestamp, common.receivedAtMs),
    field(event.id),
    common.receivedAt,
    common.env,
    common.release,
    event.type,
    event.level,
    common.instance,
    common.host,
    field(event.request?.route ?? ""),
    field(stored.fingerprint),
    field(event.trace?.trace_id ?? ""),
    // JSON without line breaks and tabs has no other character that the format reads as more than itself.
    payload(stored, common.json).replaceAll("\\", "\\\\"),
    event.seq,
    ranges(stored.dropped),
    common.retentionDays,
  ].join("\t");
}

/** The columns of a row, in the order of {@link toLossesRow}. */
export const lossesColumns = [
  "scope_id",
  "service",
  "instance",
  "env",
  "host",
  "received_at",
  "dropped",
  "retention_days",
] as const;

/** The row of losses, likewise. */
export function toLossesRow(losses: StoredLosses): string {
  return [
    field(losses.scopeId),
    field(losses.service),
    field(losses.instance),
    field(losses.env),
    field(losses.host.name),
    clickHouseTime(Date.parse(losses.receivedAt)),
    ranges(losses.dropped),
    days(losses.retentionDays),
  ].join("\t");
}

const utcMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** When an event happened, as ClickHouse reads it: bounded, since each day is a partition. */
function timeOf(timestamp: string, receivedAt: number): string {
  const happenedAt = eventTime(timestamp, receivedAt);
  // What nearly all clients write needs no Date, which costs ten times as much.
  if (happenedAt !== receivedAt && utcMilliseconds.test(timestamp))
    return `${timestamp.slice(0, 10)} ${timestamp.slice(11, -1)}`;
  return clickHouseTime(happenedAt);
}

const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** ClickHouse refuses a lone surrogate, and the batch with it. In `payload` JSON.stringify escapes them. */
export function field(value: string): string {
  return value.toWellFormed().replace(special, (character) => escapes[character] ?? character);
}

/** Losses as the column `dropped` reads them; none and absent are the same. */
export function ranges(dropped: readonly Dropped[] = []): string {
  // Reasons are of a closed list, of letters and `_`: nothing to escape.
  return `[${dropped.map(({ from_seq, to_seq, reason }) => `(${from_seq},${to_seq},'${reason}')`).join(",")}]`;
}

/** 0: as long as the service keeps events. */
export function days(retentionDays = 0): number {
  return Math.min(retentionDays, retentionDaysMax);
}

function payload(stored: StoredEvent, common: string): string {
  const { event, eventText = json(event), fingerprint, dropped, claimedAt } = stored;
  const losses = dropped === undefined ? "" : `,"dropped":${JSON.stringify(dropped)}`;
  const claim = claimedAt === undefined ? "" : `,"claimedAt":${JSON.stringify(claimedAt)}`;
  return `${common},"fingerprint":${JSON.stringify(fingerprint)}${losses}${claim},"event":${eventText}}`;
}

function json(event: TelemetryEvent): string {
  try {
    return JSON.stringify(event);
  } catch {
    // Nested so deep that V8's stack ends: kept, cut at a depth that fits.
    return JSON.stringify(cutBelow(event, nestingMax));
  }
}

function cutBelow(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "[nested too deeply]";
  if (Array.isArray(value)) return value.map((item) => cutBelow(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutBelow(item, depth - 1)]));
}
