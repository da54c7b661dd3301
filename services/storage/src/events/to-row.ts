import type { Dropped } from "@whence/protocol";
import { clickHouseTime } from "./clickhouse-time.ts";
import type { StoredEvent, StoredLosses } from "./event-store.ts";

const dayMs = 86_400_000;
/** Clients spool and resend for days; what claims to be older has a wrong clock. Each day is a partition. */
const believedAgeMs = 7 * dayMs;
const believedAheadMs = dayMs;
/** What a client nests deeper is no use to a reader, and JSON.stringify recurses. */
const nestingMax = 100;
/** What `retention_days` holds; 80 years and more are for ever anyway (`retention.ts`). */
const retentionDaysMax = 4_294_967_295;

/** The columns of a row, in the order of {@link toRow}. */
export const rowColumns = [
  ...["scope_id", "service", "timestamp", "id", "received_at", "env", "release", "type", "level", "instance", "host"],
  ...["route", "fingerprint", "trace_id", "payload", "seq", "dropped", "retention_days"],
] as const;

/**
 * The row of an event as a line of TabSeparated, without its end: the event whole, as JSON, and beside it what
 * questions filter by. That format, because JSON's only character it must escape is the backslash; as JSON within JSON
 * each quote is escaped again. Never throws: one event that is odd must not cost its neighbours.
 */
export function toRow(stored: StoredEvent): string {
  const { event } = stored;
  const receivedAt = Date.parse(stored.receivedAt);
  const happenedAt = Date.parse(event.timestamp);
  return [
    field(stored.scopeId),
    field(stored.service),
    clickHouseTime(believed(happenedAt, receivedAt)),
    field(event.id),
    clickHouseTime(receivedAt),
    field(stored.env),
    field(stored.release),
    event.type,
    event.level,
    field(stored.instance),
    field(stored.host.name),
    field(event.request?.route ?? ""),
    field(stored.fingerprint),
    field(event.trace?.trace_id ?? ""),
    // JSON has no other character that the format reads as more than itself.
    json(stored).replaceAll("\\", "\\\\"),
    event.seq,
    ranges(stored.dropped),
    days(stored.retentionDays),
  ].join("\t");
}

/** The columns of a row, in the order of {@link toLossesRow}. */
export const lossesColumns = [
  ...["scope_id", "service", "instance", "env", "host", "received_at", "dropped", "retention_days"],
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

/** A client's clock may be wrong by years; the gateway's is ours. */
function believed(happenedAt: number, receivedAt: number): number {
  if (Number.isNaN(happenedAt)) return receivedAt;
  return Math.min(Math.max(happenedAt, receivedAt - believedAgeMs), receivedAt + believedAheadMs);
}

const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** ClickHouse refuses a lone surrogate, and the batch with it. In `payload` JSON.stringify escapes them. */
function field(value: string): string {
  return value.toWellFormed().replace(special, (character) => escapes[character] ?? character);
}

/** Losses as the column `dropped` reads them; none and absent are the same. */
export function ranges(dropped: readonly Dropped[] = []): string {
  // Reasons are of a closed list, of letters and `_`: nothing to escape.
  return `[${dropped.map(({ from_seq, to_seq, reason }) => `(${from_seq},${to_seq},'${reason}')`).join(",")}]`;
}

/** 0: as long as the service keeps events. */
function days(retentionDays = 0): number {
  return Math.min(retentionDays, retentionDaysMax);
}

function json(stored: StoredEvent): string {
  try {
    return JSON.stringify(stored);
  } catch {
    // Nested so deep that V8's stack ends: kept, cut at a depth that fits.
    return JSON.stringify(cutBelow(stored, nestingMax));
  }
}

function cutBelow(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "[nested too deeply]";
  if (Array.isArray(value)) return value.map((item) => cutBelow(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutBelow(item, depth - 1)]));
}
