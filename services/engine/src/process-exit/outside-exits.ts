import { minuteMs } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import type { FailureContext } from "../outside/failure-context.ts";
import { causeOf, type OutsideCause, relate, timeliness, timeOf } from "../outside/relate.ts";
import type { Relation } from "../signals/outside/outside-view.ts";
import { likelihoods, type PossibleExit } from "./assess.ts";

/** What a third party reports about the processes that stopped, or about an earlier change. */
export interface OutsideOfExit {
  readonly cause: OutsideCause;
  readonly relation: Relation;
  readonly observation: Observation;
}

/** How long a rollout replaces processes. */
const rolloutMs = 600_000;
/** A process may have ended at any time until its next heartbeat was due. */
const heartbeatMs = minuteMs;
/** From this timeliness on, a change may explain what followed it. */
const timelyFrom = 0.5;
const replaced: ReadonlySet<string> = new Set(["deployment", "release", "rollout"]);
const restarts: ReadonlySet<string> = new Set(["out-of-memory", "crash-loop", "restart"]);
/** The likelihood of an exit that nothing else supports. */
const ruledOut = likelihoods.none;

/**
 * Returns the changes and problems of the processes, their service, or their machines, the closest to the exit first.
 */
export function outsideOfExit(observations: readonly Observation[], context: FailureContext): OutsideOfExit[] {
  const related = observations.flatMap((observation) => {
    const cause = causeOf(observation);
    const relation = cause && relate(cause, context);
    return cause && relation && isTimely(cause, context) ? [{ cause, relation, observation }] : [];
  });
  return related.toSorted((left, right) => distance(left.cause, context) - distance(right.cause, context));
}

/** Returns the possible exits, adjusted by what third parties saw, the most likely first. */
export function withOutside(
  exits: readonly PossibleExit[],
  outside: readonly OutsideOfExit[],
): readonly PossibleExit[] {
  const kill = outside.find(({ cause }) => cause.kind === "problem" && cause.what === "out-of-memory");
  const rollout = outside.find(isRollout);
  if (!kill && !rollout) return exits;
  const own = kill?.relation.kind === "own-host";
  return exits
    .map((exit) => raised(exit, kill, own, rollout))
    .toSorted((left, right) => right.likelihood - left.likelihood);
}

function raised(
  exit: PossibleExit,
  kill: OutsideOfExit | undefined,
  isOwn: boolean,
  rollout: OutsideOfExit | undefined,
): PossibleExit {
  const killed = kill && ({ kind: "reported-kill", vendor: kill.cause.vendor, at: timeOf(kill.cause) } as const);
  if (killed && exit.kind === "out-of-memory") {
    const likelihood = Math.max(exit.likelihood, isOwn ? likelihoods.stated : likelihoods.medium);
    return { ...exit, likelihood, reasons: [killed, ...exit.reasons] };
  }
  // What was reported speaks against the others, whatever the readings show.
  if (killed && isOwn)
    return { ...exit, likelihood: Math.min(exit.likelihood, ruledOut), reasons: [killed, ...exit.reasons] };
  if (rollout && !kill && exit.kind === "killed") {
    const reason = { kind: "rollout", vendor: rollout.cause.vendor, at: timeOf(rollout.cause) } as const;
    return { ...exit, likelihood: Math.max(exit.likelihood, likelihoods.strong), reasons: [reason, ...exit.reasons] };
  }
  return exit;
}

function isRollout({ cause, relation }: OutsideOfExit): boolean {
  return (
    cause.kind === "change-event" &&
    cause.failed !== true &&
    replaced.has(cause.what) &&
    relation.kind === "own-service"
  );
}

/**
 * Returns whether the timing fits: the end of a process is noticed after its last heartbeat, and everything else came
 * before it.
 */
function isTimely(cause: OutsideCause, context: FailureContext): boolean {
  const at = Date.parse(timeOf(cause));
  if (cause.kind === "problem" && restarts.has(cause.what)) {
    return at >= context.firstAt - rolloutMs && at <= context.lastAt;
  }
  if (cause.kind === "change-event" && replaced.has(cause.what)) {
    return at >= context.firstAt - rolloutMs && at <= context.firstAt + heartbeatMs;
  }
  return timeliness(cause, context) >= timelyFrom;
}

function distance(cause: OutsideCause, { firstAt }: FailureContext): number {
  return Math.abs(Date.parse(timeOf(cause)) - firstAt);
}
