import { eventTime, minuteMs } from "@whence/protocol";
import { clickHouseTime } from "./clickhouse-time.ts";
import type { StoredMeasure } from "./measures.ts";
import { days, field } from "./to-row.ts";

/** The columns of a row, in the order of {@link toMeasureRow}. */
export const measureColumns = [
  "scope_id",
  "service",
  "kind",
  "name",
  "timestamp",
  "instance",
  "series",
  "since",
  "counting",
  "measured_at",
  "received_at",
  "env",
  "release",
  "host",
  "failed",
  "value",
  "retention_days",
] as const;

/**
 * Returns a measure as a line of TabSeparated, without its end. Rows of the same key replace one another. Of a minute,
 * the last value of a series says all; but a count since the export before can't be left out, and neither can the first
 * value of a count that didn't begin at 0.
 */
export function toMeasureRow(measure: StoredMeasure): string {
  const receivedAtMs = Date.parse(measure.receivedAt);
  const atMs = eventTime(measure.at, receivedAtMs);
  const sinceMs = measure.since === null ? 0 : Math.min(Date.parse(measure.since), atMs);
  return [
    ...[measure.scopeId, measure.service, measure.kind, measure.name].map(field),
    clickHouseTime(measure.counting === "delta" ? atMs : atMs - (atMs % minuteMs)),
    ...[measure.instance, measure.series].map(field),
    clickHouseTime(sinceMs),
    field(measure.counting),
    ...[atMs, receivedAtMs].map(clickHouseTime),
    ...[measure.env, measure.release, measure.host].map(field),
    measure.failed ? 1 : 0,
    measure.value,
    days(measure.retentionDays),
  ].join("\t");
}
