import { minuteMs } from "@whence/protocol";
import type { KnownFailure, RecentIncident, ScopedEvents } from "@whence/storage";
import type { Relation } from "../decide/relation.ts";
import { checkedEventsMin } from "../decide/still-joined.ts";
import { comparedMs, comparedSpan, findRelation, ownEvents, possiblyRelated } from "./find-relation.ts";
import type { DecisionSources, GroupToDecide } from "./group-to-decide.ts";

/** The other incidents around a failure, and which of them it belongs to. */
export interface FailureContext {
  /** How many incidents the scope had opened when it was read. */
  readonly opened: number;
  /** The incident it belongs to; null: to none. */
  readonly relation: Relation | null;
  /** Whether there is enough telemetry to say that it belongs to none. */
  readonly isTelling: boolean;
}

/** Finds the incident a failure belongs to by what they have in common. `known` is the failure as stored. */
export async function readFailureContext(
  { control, events, logger }: DecisionSources,
  toDecide: GroupToDecide,
  known: KnownFailure | null,
): Promise<FailureContext> {
  const { scopeId, group, thresholds, now } = toDecide;
  const { env, fingerprint } = group.worst;
  const since = new Date(now.getTime() - thresholds.join_minutes * minuteMs);
  const incidentId = known?.joined ? known.incidentId : null;
  const { failures } = control.scope(scopeId);
  const { opened, incidents } = await failures.openIncidents({ env, since, incidentId: incidentId ?? undefined });
  const related = thresholds.join_minutes === 0 ? [] : possiblyRelated(group, incidents);
  if (related.length === 0) return { opened, relation: null, isTelling: incidentId !== null };
  try {
    return { opened, ...(await compare(events.forScope(scopeId), toDecide, known, related)) };
  } catch (error) {
    // An incident too many is better than none.
    logger.warn(
      { err: error, fingerprint },
      "could not look up what a failure is related to; it opens its own incident",
    );
    return { opened, relation: null, isTelling: false };
  }
}

async function compare(
  events: ScopedEvents,
  { group, now }: GroupToDecide,
  known: KnownFailure | null,
  incidents: readonly RecentIncident[],
): Promise<Omit<FailureContext, "opened">> {
  const latest = group.times.at(-1) ?? now.getTime();
  const checkedAt = known?.joined ? Date.parse(known.joined.checkedAt) : null;
  const from = checkedAt ?? Math.min(now.getTime(), latest) - comparedMs;
  const span = comparedSpan(group.worst.env, from, Math.max(now.getTime(), latest));
  const own = await ownEvents(events, group, span);
  const relation = await findRelation(events, group, own, incidents, span);
  return { relation, isTelling: own.length >= checkedEventsMin };
}
