import { type Decision, severities } from "@whence/protocol";
import type { Transaction } from "kysely";
import { z } from "zod";
import type { Occurrences } from "../failures/failure-db.ts";
import { recordDecision } from "../failures/failure-decisions.ts";
import { readHistory, writeHistory } from "../failures/failure-history.ts";
import { countOpening, leaveIncident } from "../failures/joined-failures.ts";
import type { SplitFailure } from "../failures/joining-db.ts";
import { writeActivity } from "../lifecycle/incident-activity.ts";
import type { ControlTables } from "../tables.ts";
import type { StoredIncident } from "./incident-db.ts";
import { packInput } from "./incident-input.ts";
import { countOccurrences } from "./incident-occurrences.ts";
import { mergeActivity } from "./merge-activity.ts";
import { openIncident } from "./open-incident.ts";

const severitySchema = z.enum(severities);

/** Gives a failure that joined the incident one of its own; null when it had not joined it. */
export async function splitOff(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { incidentId, fingerprint, trigger, decision, by, now }: SplitFailure,
): Promise<StoredIncident | null> {
  const joined = await transaction
    .selectFrom("incident_failure")
    .innerJoin("incident", "incident.id", "incident_failure.incident_id")
    .selectAll("incident_failure")
    .select("incident.severity")
    .where("incident.id", "=", incidentId)
    .where("incident.scope_id", "=", scopeId)
    .where("incident_failure.fingerprint", "=", fingerprint)
    .executeTakeFirst();
  if (!joined) return null;
  const { env, service, title, event_id: eventId, events, last_seen: lastSeen } = joined;
  await leaveIncident(transaction, incidentId, { fingerprint, env });
  await countOpening(transaction, scopeId, null);
  const input = { kind: "event", eventId } as const;
  const incident = await openIncident(
    transaction,
    scopeId,
    {
      title,
      severity: severitySchema.parse(joined.severity),
      trigger,
      service,
      env,
      fingerprint,
      decision,
      now,
      input,
    },
    await packInput(input),
  );
  await countOccurrences(transaction, incident.id, Number(events), lastSeen);
  await keepApart(transaction, scopeId, { fingerprint, env, now }, incident.id, decision);
  await recordDecision(transaction, scopeId, { fingerprint, env, eventId, now }, decision);
  await writeActivity(transaction, incidentId, mergeActivity("split-off", incident, by, now));
  return incident;
}

/** The failure belongs to the incident, and joins no other. */
async function keepApart(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { fingerprint, env, now }: Pick<Occurrences, "fingerprint" | "env" | "now">,
  incidentId: string,
  decision: Decision,
): Promise<void> {
  const failure = transaction
    .updateTable("failure")
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "=", fingerprint)
    .where("env", "=", env);
  const row = await failure
    .set({ incident_id: incidentId, decision_json: JSON.stringify(decision), decided_at: now.toISOString() })
    .returning("history_json")
    .executeTakeFirst();
  if (!row?.history_json) return;
  await failure.set({ history_json: writeHistory({ ...readHistory(row.history_json), apart: true }) }).execute();
}
