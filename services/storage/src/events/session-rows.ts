import { eventTime } from "@whence/protocol";
import { clickHouseTime } from "./clickhouse-time.ts";
import type { StoredSessions } from "./sessions.ts";
import { days, field } from "./to-row.ts";

/** The columns of a row, in the order of {@link toSessionsRow}. */
export const sessionsColumns = [
  "scope_id",
  "service",
  "env",
  "release",
  "timestamp",
  "received_at",
  "id",
  "sessions",
  "crashed",
  "unhandled",
  "retention_days",
] as const;

/** Returns sessions as a line of TabSeparated, without its end. */
export function toSessionsRow(sessions: StoredSessions): string {
  const receivedAtMs = Date.parse(sessions.receivedAt);
  return [
    ...[sessions.scopeId, sessions.service, sessions.env, sessions.release].map(field),
    clickHouseTime(eventTime(sessions.at, receivedAtMs)),
    clickHouseTime(receivedAtMs),
    field(sessions.id),
    sessions.sessions,
    sessions.crashed,
    sessions.unhandled,
    days(sessions.retentionDays),
  ].join("\t");
}
