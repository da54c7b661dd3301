import { clickHouseTime } from "./clickhouse-time.ts";
import type { StoredEvent } from "./event-store.ts";

/** A row of `events`: the event whole, and beside it what questions filter by. */
export interface EventRow {
  readonly scope_id: string;
  readonly service: string;
  readonly timestamp: string;
  readonly id: string;
  readonly received_at: string;
  readonly env: string;
  readonly release: string;
  readonly type: string;
  readonly level: string;
  readonly instance: string;
  readonly host: string;
  readonly route: string;
  readonly fingerprint: string;
  readonly trace_id: string;
  /** JSON of the {@link StoredEvent}. */
  readonly payload: string;
}

const dayMs = 86_400_000;
/** Clients spool and resend for days; what claims to be older has a wrong clock. Each day is a partition. */
const believedAgeMs = 7 * dayMs;
const believedAheadMs = dayMs;
/** What a client nests deeper is no use to a reader, and JSON.stringify recurses. */
const nestingMax = 100;

/** The row of an event. Never throws: one event that is odd must not cost its neighbours. */
export function toRow(stored: StoredEvent): EventRow {
  const { event } = stored;
  const receivedAt = Date.parse(stored.receivedAt);
  const happenedAt = Date.parse(event.timestamp);
  return {
    scope_id: text(stored.scopeId),
    service: text(stored.service),
    timestamp: clickHouseTime(believed(happenedAt, receivedAt)),
    id: text(event.id),
    received_at: clickHouseTime(receivedAt),
    env: text(stored.env),
    release: text(stored.release),
    type: event.type,
    level: event.level,
    instance: text(stored.instance),
    host: text(stored.host.name),
    route: text(event.request?.route ?? ""),
    fingerprint: text(stored.fingerprint),
    trace_id: text(event.trace?.trace_id ?? ""),
    payload: json(stored),
  };
}

/** A client's clock may be wrong by years; the gateway's is ours. */
function believed(happenedAt: number, receivedAt: number): number {
  if (Number.isNaN(happenedAt)) return receivedAt;
  return Math.min(Math.max(happenedAt, receivedAt - believedAgeMs), receivedAt + believedAheadMs);
}

/** ClickHouse refuses a lone surrogate, and the batch with it. In `payload` JSON.stringify escapes them. */
function text(value: string): string {
  return value.toWellFormed();
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
