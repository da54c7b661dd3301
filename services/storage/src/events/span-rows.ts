import { eventTime } from "@whence/protocol";
import { clickHouseTime } from "./clickhouse-time.ts";
import type { StoredSpan } from "./spans.ts";
import { days, field } from "./to-row.ts";

/** The columns of a row, in the order of {@link toSpanRow}. */
export const spanColumns = [
  "scope_id",
  "trace_id",
  "span_id",
  "parent_id",
  "timestamp",
  "received_at",
  "service",
  "env",
  "release",
  "instance",
  "host",
  "kind",
  "name",
  "category",
  "method",
  "target",
  "peer",
  "duration_ms",
  "status_code",
  "failed",
  "error",
  "weight",
  "retention_days",
] as const;

/** Returns a span as a line of TabSeparated, without its end. */
export function toSpanRow(span: StoredSpan): string {
  const receivedAtMs = Date.parse(span.receivedAt);
  return [
    ...[span.scopeId, span.traceId, span.spanId, span.parentId].map(field),
    clickHouseTime(eventTime(span.at, receivedAtMs)),
    clickHouseTime(receivedAtMs),
    ...[span.service, span.env, span.release, span.instance, span.host, span.kind, span.name].map(field),
    ...[span.category, span.method, span.target, span.peer].map(field),
    span.durationMs,
    span.statusCode ?? 0,
    span.error === null ? 0 : 1,
    field(span.error ?? ""),
    span.weight,
    days(span.retentionDays),
  ].join("\t");
}
