import {
  type MonitorResult,
  monitorCheckSchema,
  monitorOutcomes,
  monitorResultSchema,
  severities,
} from "@whence/protocol";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { MonitorProgress, StoredMonitor } from "./monitor-db.ts";
import type { MonitorResultTable, MonitorTable } from "./monitor-tables.ts";

const time = z.string().nullable();
const progressSchema = z.object({
  failedChecks: z.int().min(0),
  failingSince: time,
  alert: z
    .object({ since: z.string(), reason: z.string(), isOpened: z.boolean(), withheld: z.string().nullable() })
    .nullable(),
  recoveredAt: time,
  incidentId: z.string().nullable(),
  lastResult: monitorResultSchema.nullable(),
  expectedAt: time,
  runningSince: time,
  runId: z.string().nullable(),
}) satisfies z.ZodType<MonitorProgress>;

const severitySchema = z.enum(severities);
const outcomeSchema = z.enum(monitorOutcomes);

/** Reads a monitor's row. */
export function toMonitor(row: Selectable<MonitorTable>): StoredMonitor {
  const { id, scope_id: scopeId, name, service, env, next_check_at: nextCheckAt, created_at: createdAt } = row;
  return {
    id,
    scopeId,
    name,
    service,
    env,
    nextCheckAt,
    createdAt,
    severity: severitySchema.parse(row.severity),
    alert_after: Number(row.alert_after),
    check: monitorCheckSchema.parse(JSON.parse(row.check_json)),
    progress: progressSchema.parse(JSON.parse(row.progress_json)),
    revision: Number(row.revision),
    createdBy: { id: row.user_id, name: row.user_name },
  };
}

/** Reads the row of a result. */
export function toResult(row: Selectable<MonitorResultTable>): MonitorResult {
  const { at, outcome, reason, duration_ms, value } = row;
  return {
    at,
    outcome: outcomeSchema.parse(outcome),
    reason,
    value,
    duration_ms: duration_ms === null ? null : Number(duration_ms),
  };
}
