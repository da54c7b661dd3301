import { type Failure, type FailureMessage, minuteMs, watchLimits, withInstructions } from "@whence/protocol";
import type { FailureScope, InstructionsScope, PlaceWatchScope, Scoped } from "@whence/storage";
import type { Attempt, Postponed } from "../consumers/consume.ts";
import { correlateAgain } from "./correlate/correlate-again.ts";
import { waitForCallees } from "./correlate/find-relation.ts";
import type { DecisionSources } from "./correlate/group-to-decide.ts";
import { groupFailures } from "./decide/failure-group.ts";
import { type OpeningContext, openForOccurrences } from "./open-incident.ts";

/** How long after the second look held notifications go out at the latest. */
const holdGraceMs = minuteMs;

/**
 * Decides about each failure in a message, all its occurrences together, the worst failure first. Handling a message twice
 * changes nothing. A failure after failed calls is looked at a second time once the called services have reported their
 * side; until then, its notifications are held.
 */
export function failureHandler(
  context: OpeningContext<Scoped<FailureScope & InstructionsScope & PlaceWatchScope>> & DecisionSources,
): (message: FailureMessage, attempt: Pick<Attempt, "number">) => Promise<Postponed | undefined> {
  return async ({ scope_id: scopeId, failures }, { number }) => {
    const scope = context.control.scope(scopeId);
    const [chosen, { text }] = await Promise.all([scope.thresholds.read(), scope.instructions.read()]);
    const thresholds = withInstructions(chosen, text);
    const now = new Date(context.clock());
    let againInMs = 0;
    for (const group of groupFailures(failures)) {
      const waitMs = number === 1 ? waitForCallees(group, now.getTime()) : 0;
      const heldUntil = waitMs > 0 ? new Date(now.getTime() + waitMs + holdGraceMs) : undefined;
      const origin = { kind: "failure", group } as const;
      const { namesIncident } = await openForOccurrences(context, { scopeId, origin, thresholds, now, heldUntil });
      if (heldUntil && namesIncident) againInMs = Math.max(againInMs, waitMs);
      else if (group.hasFailedCalls && waitMs === 0) {
        await correlateAgain(context, { scopeId, group, thresholds, now });
        context.relayOutbox();
      }
    }
    for (const failure of failures) await noteSeen(scope, failure, now);
    return againInMs > 0 ? { againInMs, reason: "the called services haven't reported yet" } : undefined;
  };
}

/** Notes that a failure carried what was seen at watched places. */
async function noteSeen({ placeWatches }: PlaceWatchScope, failure: Failure, now: Date): Promise<void> {
  const { watch: order, fingerprint, env, event_id: eventId } = failure;
  if (order === undefined) return;
  await placeWatches.saw({ order, fingerprint, env, eventId, sightingsMax: watchLimits.watchSightingsMax, now });
}
