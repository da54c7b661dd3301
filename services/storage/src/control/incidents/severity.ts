import { type Severity, severities } from "@whence/protocol";
import type { Transaction } from "kysely";
import type { Investigation } from "../investigations/investigation-hold.ts";
import { earliestNotification, noteOccasion } from "../notifications/notification-occasion.ts";
import type { ControlTables } from "../tables.ts";

/** Every severity below one. */
export function below(severity: Severity): readonly Severity[] {
  return severities.slice(0, severities.indexOf(severity));
}

/** The incident whose severity is raised. */
type Raised = Omit<Investigation, "attempt"> & Partial<Pick<Investigation, "attempt">>;

/**
 * Raises the incident to at least this severity, and repeats earlier announcements for the rules that now match. An
 * investigation raises it only as long as no later one has begun.
 */
export async function raiseSeverity(
  transaction: Transaction<ControlTables>,
  incident: Raised,
  severity: Severity,
  now: Date,
): Promise<void> {
  const raised = await setSeverity(transaction, incident, severity);
  if (!raised) return;
  const kinds = raised.report_json === null ? (["opened"] as const) : (["opened", "completed"] as const);
  const { scopeId, id: incidentId } = incident;
  for (const kind of kinds) {
    // Under the name it had before: a rule gets each name once.
    await noteOccasion(transaction, { scopeId, incidentId, kind }, earliestNotification(raised.held_until, now));
  }
}

/** Raises the incident to at least this severity, and announces nothing. Undefined where it was no lower. */
export async function setSeverity(
  transaction: Transaction<ControlTables>,
  { scopeId, id, attempt }: Raised,
  severity: Severity,
): Promise<{ readonly report_json: string | null; readonly held_until: string | null } | undefined> {
  const lower = below(severity);
  // PostgreSQL knows no empty list.
  if (lower.length === 0) return undefined;
  const raising = transaction
    .updateTable("incident")
    .set({ severity })
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .where("severity", "in", lower);
  return (attempt === undefined ? raising : raising.where("attempt", "=", attempt))
    .returning(["report_json", "held_until"])
    .executeTakeFirst();
}
