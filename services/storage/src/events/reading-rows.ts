import { eventTime } from "@whence/protocol";
import { clickHouseTime } from "./clickhouse-time.ts";
import type { StoredReading } from "./readings.ts";
import { days, field } from "./to-row.ts";

/** The columns of a row, in the order of {@link toReadingRow}. */
export const readingColumns = [
  "scope_id",
  "service",
  "timestamp",
  "instance",
  "received_at",
  "env",
  "release",
  "host",
  "runtime",
  "heap_used",
  "heap_limit",
  "rss",
  "loop_delay_ms",
  "retention_days",
  "is_reading",
  "cpu",
  "pool",
  "pool_used",
  "pool_max",
  "pool_waiting",
] as const;

/** Returns a reading as a line of TabSeparated, without its end. */
export function toReadingRow(reading: StoredReading): string {
  const receivedAtMs = Date.parse(reading.receivedAt);
  return [
    ...[reading.scopeId, reading.service].map(field),
    clickHouseTime(eventTime(reading.at, receivedAtMs)),
    field(reading.instance),
    clickHouseTime(receivedAtMs),
    ...[reading.env, reading.release, reading.host, reading.runtime].map(field),
    reading.heapUsedBytes,
    reading.heapLimitBytes,
    reading.rssBytes,
    reading.eventLoopDelayMs,
    days(reading.retentionDays),
    1,
    reading.cpu,
    field(reading.pool?.name ?? ""),
    reading.pool?.used ?? 0,
    reading.pool?.max ?? 0,
    reading.pool?.waiting ?? 0,
  ].join("\t");
}
