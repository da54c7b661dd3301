import type { Kysely, Transaction, Updateable } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import type { NewIncident, StoredIncident } from "../incidents/incident-db.ts";
import { packInput } from "../incidents/incident-input.ts";
import { openIncident } from "../incidents/open-incident.ts";
import { raiseSeverity, setSeverity } from "../incidents/severity.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { lifecycleOf } from "../lifecycle/stored-lifecycle.ts";
import { withMerged } from "../merges/with-merged.ts";
import { requireMonitorsRoom } from "../monitors/monitor-allowance.ts";
import { noteOccasion, withdrawResolution } from "../notifications/notification-occasion.ts";
import { countOpening, countWithheld, SourceAllowanceSpent } from "../sources/source-allowance.ts";
import type { ControlTables } from "../tables.ts";
import type { AlertName, AlertRepository, NewAlert, ResolvedAlert } from "./alert-db.ts";
import { type AlertTable, withoutIncident } from "./alert-tables.ts";

/** The alerts of one scope. */
export function alertRepository(db: Kysely<ControlTables>, scopeId: string): AlertRepository {
  return {
    async open(alert, incident) {
      if ("id" in incident) {
        const isNew = await inTransaction(db, (transaction) => join(transaction, scopeId, alert, incident.id));
        return isNew ? "noted" : null;
      }
      const input = await packInput(incident.input);
      try {
        return await inTransaction(db, (transaction) => open(transaction, scopeId, alert, { incident, input }));
      } catch (error) {
        if (!(error instanceof SourceAllowanceSpent)) throw error;
        if (!alert.isOfMonitor) await countWithheld(db, alert.sourceId, error, alert.now);
        return "withheld";
      }
    },
    resolve: (alert) => inTransaction(db, (transaction) => resolve(transaction, scopeId, alert)),
    async list(sourceId, limit) {
      const rows = await db
        .selectFrom("alert")
        .select(["key", "title", "url", "incident_id", "fired_at", "resolved_at"])
        .where("scope_id", "=", scopeId)
        .where("source_id", "=", sourceId)
        .where("incident_id", "!=", withoutIncident)
        .orderBy("fired_at", "desc")
        .orderBy("key")
        .limit(limit)
        .execute();
      return rows;
    },
    async ofIncident(incidentId, limit) {
      const rows = await db
        .selectFrom("alert")
        .select(["source_id", "title", "url", "runbook_url", "fired_at", "resolved_at"])
        .where("scope_id", "=", scopeId)
        .where("incident_id", "in", withMerged(db, incidentId))
        .orderBy("fired_at", "desc")
        .orderBy("key")
        .limit(limit)
        .execute();
      return rows.map(({ source_id: sourceId, ...alert }) => ({ sourceId, ...alert }));
    },
  };
}

interface Opening {
  readonly incident: NewIncident;
  readonly input: Awaited<ReturnType<typeof packInput>>;
}

async function open(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  alert: NewAlert,
  { incident, input }: Opening,
): Promise<StoredIncident | null> {
  // The row comes first: of two at once, the second waits here and then finds it.
  if (!(await note(transaction, scopeId, alert, withoutIncident))) return null;
  if (alert.isOfMonitor) await requireMonitorsRoom(transaction, scopeId, alert.allowance, alert.now);
  else await countOpening(transaction, alert.sourceId, alert.allowance, alert.now);
  const opened = await openIncident(transaction, scopeId, incident, input);
  await ofAlert(transaction, scopeId, alert, { incident_id: opened.id });
  return opened;
}

/** Adds an alert to an incident, which is back if all of its alerts had ended. */
async function join(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  alert: NewAlert,
  incidentId: string,
): Promise<boolean> {
  // Locks the incident: of two alerts at once, only one finds it over.
  await transaction.updateTable("incident").set({ id: incidentId }).where("id", "=", incidentId).execute();
  const over = await endedIncident(transaction, scopeId, incidentId);
  const isNew = await note(transaction, scopeId, alert, incidentId);
  if (!isNew) return false;
  // An end that was not announced yet is withdrawn instead.
  const isBack = over?.state === "open" && !(await withdrawResolution(transaction, incidentId));
  const incident = { scopeId, id: incidentId };
  if (!over || !isBack) {
    if (alert.severity) await raiseSeverity(transaction, incident, alert.severity, alert.now);
    return true;
  }
  // That it is back is announced to every rule that matches by now: what led up to it needs no repeating.
  if (alert.severity) await setSeverity(transaction, incident, alert.severity);
  const before = lifecycleOf(over);
  const lifecycle = { ...before, returns: before.returns + 1 };
  const back = { lifecycle, activity: null, announces: "returned", investigates: false } as const;
  await applyTransition(transaction, { id: incidentId, scope_id: scopeId }, back, alert.now);
  return true;
}

async function resolve(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  alert: ResolvedAlert,
): Promise<boolean> {
  const { sourceId, key, title, url, at, now } = alert;
  const ended = { fired_at: at, announced_at: now.toISOString(), resolved_at: at };
  const isUnknown = await transaction
    .insertInto("alert")
    .values({ scope_id: scopeId, source_id: sourceId, key, title, url, incident_id: withoutIncident, ...ended })
    .onConflict((conflict) =>
      conflict
        .columns(["scope_id", "source_id", "key"])
        .doUpdateSet(ended)
        .where("alert.incident_id", "=", withoutIncident),
    )
    .returning("key")
    .executeTakeFirst();
  if (isUnknown) {
    await forgetResolutions(transaction, scopeId, alert);
    return false;
  }
  const known = await transaction
    .updateTable("alert")
    .set({ resolved_at: now.toISOString() })
    .where("scope_id", "=", scopeId)
    .where("source_id", "=", sourceId)
    .where("key", "=", key)
    .where("resolved_at", "is", null)
    .returning("incident_id")
    .executeTakeFirst();
  if (known) await noteResolved(transaction, scopeId, known.incident_id, now);
  return true;
}

/** Notes that an incident which opened for an alert is over, once all of its alerts are resolved. */
async function noteResolved(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  incidentId: string,
  now: Date,
): Promise<void> {
  const over = await endedIncident(transaction, scopeId, incidentId);
  if (!over) return;
  const { returns } = lifecycleOf(over);
  const version = returns === 0 ? {} : { version: returns };
  await noteOccasion(transaction, { scopeId, incidentId, kind: "resolved", ...version }, now);
}

/** Returns the incident if it opened for an alert, and none of its alerts still fires. */
function endedIncident(transaction: Transaction<ControlTables>, scopeId: string, incidentId: string) {
  const alerts = transaction.selectFrom("alert").select("incident_id").where("incident_id", "=", incidentId);
  return transaction
    .selectFrom("incident")
    .select(["state", "created_at", "lifecycle_json"])
    .where("scope_id", "=", scopeId)
    .where("id", "=", incidentId)
    .where("trigger_kind", "=", "alert")
    .where("id", "in", alerts)
    .where("id", "not in", alerts.where("resolved_at", "is", null))
    .executeTakeFirst();
}

/** Forgets the ends of unknown alerts beyond those that are remembered. */
async function forgetResolutions(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { sourceId, now, forgottenAfterMs, resolutionsMax }: ResolvedAlert,
): Promise<void> {
  const remembered = transaction
    .selectFrom("alert")
    .select("key")
    .where("scope_id", "=", scopeId)
    .where("source_id", "=", sourceId)
    .where("incident_id", "=", withoutIncident)
    .where("announced_at", ">", new Date(now.getTime() - forgottenAfterMs).toISOString())
    .orderBy("announced_at", "desc")
    .orderBy("key")
    .limit(resolutionsMax);
  await transaction
    .deleteFrom("alert")
    .where("scope_id", "=", scopeId)
    .where("source_id", "=", sourceId)
    .where("incident_id", "=", withoutIncident)
    .where("key", "not in", remembered)
    .execute();
}

/** Stores the alert. True when it is new, or fired again after it was resolved or forgotten. */
async function note(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  alert: NewAlert,
  incidentId: string,
): Promise<boolean> {
  const { sourceId, key, title, url, runbookUrl = null, firedAt, now, forgottenAfterMs } = alert;
  const announced_at = now.toISOString();
  const times = { fired_at: firedAt, announced_at, resolved_at: null };
  const about = { title, url, runbook_url: runbookUrl, incident_id: incidentId, ...times };
  const forgotten = new Date(now.getTime() - forgottenAfterMs).toISOString();
  const noted = await transaction
    .insertInto("alert")
    .values({ scope_id: scopeId, source_id: sourceId, key, ...about })
    .onConflict((conflict) =>
      conflict
        .columns(["scope_id", "source_id", "key"])
        .doUpdateSet(about)
        .where(({ or, eb }) => or([eb("alert.resolved_at", "<", firedAt), eb("alert.announced_at", "<=", forgotten)])),
    )
    .returning("key")
    .executeTakeFirst();
  if (noted) return true;
  await ofAlert(transaction, scopeId, alert, { announced_at });
  return false;
}

function ofAlert(
  db: Kysely<ControlTables>,
  scopeId: string,
  { sourceId, key }: AlertName,
  change: Partial<Pick<Updateable<AlertTable>, "incident_id" | "announced_at">>,
) {
  return db
    .updateTable("alert")
    .set(change)
    .where("scope_id", "=", scopeId)
    .where("source_id", "=", sourceId)
    .where("key", "=", key)
    .executeTakeFirst();
}
