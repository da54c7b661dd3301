import { limits, minuteMs } from "@whence/protocol";
import type { Circumstances, RecentIncident, ScopedEvents, Span } from "@whence/storage";
import type { FailureGroup } from "../decide/failure-group.ts";
import type { Relation } from "../decide/relation.ts";
import { failedCallRelation } from "./failed-call-relation.ts";
import { sameCalleeRelation } from "./same-callee-relation.ts";
import { hasSameMessage, samePlaceRelation } from "./same-place-relation.ts";

/** How far back events are compared. */
export const comparedMs = 10 * minuteMs;
const ownMax = 40;
/** From the gateway's answer until an event can be read: 0.2 s, a second on a busy machine. */
const storedMs = 1_200;
/** Other processes report the same moment with their next batch, which then has to be stored. */
export const batchMs: number = limits.flushIntervalMs + storedMs;

/** The last events of a failure, the newest first. */
export function ownEvents(
  events: ScopedEvents,
  { worst: { service, fingerprint } }: FailureGroup,
  span: Span,
): Promise<readonly Circumstances[]> {
  return events.circumstances({ ...span, service, fingerprint, limit: ownMax });
}

/**
 * How long to wait, in milliseconds, until a failure after failed calls can be traced to another one: the called service
 * reports its side with its next batch.
 */
export function waitForCallees({ hasFailedCalls, times }: FailureGroup, now: number): number {
  const left = Math.min((times[0] ?? now) + batchMs - now, batchMs);
  return hasFailedCalls ? Math.max(0, left) : 0;
}

/** The incidents a failure could belong to: by a trace into another service, by its message, or by its failed calls. */
export function possiblyRelated(group: FailureGroup, incidents: readonly RecentIncident[]): RecentIncident[] {
  const { worst, traced, hasFailedCalls } = group;
  const others = incidents.filter(({ fingerprint }) => fingerprint !== worst.fingerprint);
  if (hasFailedCalls) return others;
  return others.filter((one) => (traced && isElsewhere(one, worst.service)) || hasSameMessage(group, one));
}

function isElsewhere(incident: RecentIncident, service: string): boolean {
  return incident.service !== service || incident.joined.some((one) => one.service !== service);
}

/** The span in which a failure is compared with others: up to a minute from now, because clocks differ. */
export function comparedSpan(env: string, from: number, now: number): Span {
  return { env, from: new Date(from).toISOString(), to: new Date(now + minuteMs).toISOString() };
}

/** Finds the incident that the failure belongs to by what their events have in common; null: none. */
export async function findRelation(
  events: ScopedEvents,
  group: FailureGroup,
  own: readonly Circumstances[],
  incidents: readonly RecentIncident[],
  span: Span,
): Promise<Relation | null> {
  if (own.length === 0 || incidents.length === 0) return null;
  const { service, env, fingerprint } = group.worst;
  const newcomer = { service, env, fingerprint, own };
  return (
    (await samePlaceRelation(events, group, incidents, span)) ??
    (await failedCallRelation(events, newcomer, incidents, span)) ??
    (await sameCalleeRelation(events, newcomer, incidents, span))
  );
}
