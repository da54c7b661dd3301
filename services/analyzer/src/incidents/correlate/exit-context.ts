import { minuteMs } from "@whence/protocol";
import type { FailureContext } from "./failure-context.ts";
import { comparedSpan } from "./find-relation.ts";
import type { DecisionSources, GroupToDecide } from "./group-to-decide.ts";
import { exitRelation } from "./same-callee-relation.ts";

/** Looks for an incident about failing calls to the service whose process ended. */
export async function readExitContext(
  { control, events, logger }: DecisionSources,
  { scopeId, group, thresholds, now }: GroupToDecide,
): Promise<FailureContext> {
  const { env, service, fingerprint } = group.worst;
  const { join_minutes: minutes } = thresholds;
  const since = new Date(now.getTime() - minutes * minuteMs);
  const { opened, incidents } = await control.scope(scopeId).failures.openIncidents({ env, since });
  const none = { opened, relation: null, isTelling: false };
  if (minutes === 0) return none;
  // Clocks may differ by a minute, so what came earlier than that before the last heartbeat has nothing to do with the exit.
  const span = comparedSpan(env, (group.times[0] ?? now.getTime()) - minuteMs, now.getTime());
  try {
    const relation = await exitRelation(events.forScope(scopeId), { service, fingerprint }, incidents, span);
    return { ...none, relation };
  } catch (error) {
    // An incident too many is better than none.
    logger.warn(
      { err: error, service },
      "could not look up what a process exit is related to; it opens its own incident",
    );
    return none;
  }
}
