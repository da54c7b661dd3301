import type { IncidentThresholds } from "@whence/protocol";
import type { ControlDb, DecidedFailure, EventStore, JoiningFailure } from "@whence/storage";
import { comparedSpan } from "../incidents/correlate/find-relation.ts";
import { exitRelation } from "../incidents/correlate/same-callee-relation.ts";
import { joinInstead } from "../incidents/decide/decide.ts";
import type { FailureGroup } from "../incidents/decide/failure-group.ts";
import type { Relation } from "../incidents/decide/relation.ts";
import type { OpenedSoFar } from "../incidents/decide-with-context.ts";
import type { Logger } from "../logger.ts";

const minuteMs = 60_000;

/** What was found around a process that fell silent. */
export interface ExitContext extends OpenedSoFar {
  /** The incident of a service whose calls to it fail; null: there is none. */
  readonly relation: Relation | null;
}

interface ExitSources {
  readonly control: ControlDb;
  readonly events: EventStore;
  readonly clock: () => number;
  readonly logger: Logger;
}

/** Looks whether an incident is about calls to a service whose process fell silent. */
export async function readExitContext(
  { control, events, clock, logger }: ExitSources,
  scopeId: string,
  { worst, times }: FailureGroup,
  { join_minutes: minutes }: IncidentThresholds,
): Promise<ExitContext> {
  const now = clock();
  const since = new Date(now - minutes * minuteMs);
  const { env, service, fingerprint } = worst;
  const { opened, incidents } = await control.scope(scopeId).failures.openIncidents({ env, since });
  if (minutes === 0) return { opened, relation: null };
  // By clocks that may differ by a minute, what came before it was heard last is not of its end.
  const span = comparedSpan(env, (times[0] ?? now) - minuteMs, now);
  try {
    const relation = await exitRelation(events.forScope(scopeId), { service, fingerprint }, incidents, span);
    return { opened, relation };
  } catch (error) {
    // An incident too many is better than none.
    logger.warn({ err: error, service }, "what a silent process is related to could not be looked at");
    return { opened, relation: null };
  }
}

/** The decision about a process exit by its context; null: read that first. */
export function joinRelated(
  decided: DecidedFailure,
  found: ExitContext | null,
): DecidedFailure | JoiningFailure | null {
  if (!("incident" in decided)) return decided;
  if (!found) return null;
  return found.relation ? joinInstead(decided, found.relation) : decided;
}
