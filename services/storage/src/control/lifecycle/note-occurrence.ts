import { occurIn } from "@whence/protocol";
import type { Transaction } from "kysely";
import type { Occurrences } from "../failures/failure-db.ts";
import type { FailureHistory } from "../failures/failure-history.ts";
import type { ControlTables } from "../tables.ts";
import { applyTransition } from "./apply-transition.ts";
import { lockIncident } from "./lock-incident.ts";
import { lifecycleOf } from "./stored-lifecycle.ts";

interface NotedOccurrence {
  readonly decided: { readonly history: FailureHistory; readonly isRising?: boolean | undefined };
  readonly occurrences: Occurrences;
  /** The failure's history before. */
  readonly before: FailureHistory | null;
  /** Whether the failure only follows from the incident's own. */
  readonly isJoined: boolean;
}

/**
 * Lets occurrences of its failure change an incident's lifecycle. The row is locked: a change by
 * a person at the same moment comes before or after.
 */
export async function noteOccurrence(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  incidentId: string,
  { decided, occurrences, before, isJoined }: NotedOccurrence,
): Promise<void> {
  const incident = await lockIncident(transaction, scopeId, incidentId);
  if (!incident) return;
  const { release, events, lastAt: at, now } = occurrences;
  const lifecycle = lifecycleOf(incident);
  const occurred = {
    events,
    at,
    release,
    releaseBefore: before?.release ?? "",
    isNewRelease: !isJoined && isNew(before, decided.history, release),
    // What was counted before the incident was muted isn't a rise since then.
    isRising: decided.isRising === true && decided.history.window.start >= Date.parse(lifecycle.since),
    isInvestigated: incident.status === "completed" || incident.status === "failed",
  };
  const transition = occurIn(lifecycle, occurred, now);
  if (!transition) return;
  if (transition.investigates && !isJoined) await investigateEvent(transaction, incidentId, occurrences.eventId);
  await applyTransition(transaction, incident, transition, now);
}

/** Has the next investigation of an incident start from the latest event instead of the one that opened it. */
async function investigateEvent(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  eventId: string,
): Promise<void> {
  await transaction
    .updateTable("incident_input")
    .set({ event_id: eventId })
    .where("incident_id", "=", incidentId)
    .where("kind", "=", "event")
    .execute();
}

function isNew(before: FailureHistory | null, after: FailureHistory, release: string): boolean {
  return (
    before !== null &&
    before.releases.length > 0 &&
    !before.releases.includes(release) &&
    after.releases.includes(release)
  );
}
