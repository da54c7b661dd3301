import type { Decision, FailureMessage } from "@whence/protocol";
import type { ControlDb, DecidedFailure, EventStore, JoiningFailure, KnownFailure, Occurrences } from "@whence/storage";
import type { Attempt, Postponed } from "../consumers/consume.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { correlateAgain } from "./correlate/correlate-again.ts";
import { type FailureContext, type GroupToDecide, readFailureContext } from "./correlate/failure-context.ts";
import { waitForCallees } from "./correlate/find-relation.ts";
import { decideFailure, joinInstead } from "./decide/decide.ts";
import { type FailureGroup, groupFailures } from "./decide/failure-group.ts";
import type { Opening } from "./decide/opening.ts";
import { isCheckDue, noLongerExplained } from "./decide/still-joined.ts";
import { decideWithContext } from "./decide-with-context.ts";

/** Notifications that are held go out at the latest so long after the look that they wait for. */
const holdGraceMs = 60_000;

export interface DecidingContext {
  readonly control: ControlDb;
  readonly events: EventStore;
  readonly clock: () => number;
  readonly relayOutbox: () => void;
  readonly logger: Logger;
  readonly metrics: AnalyzerMetrics;
}

/**
 * Decides about each failure of one message at once, all its occurrences together, the worst failure first: opened,
 * joined or skipped. Doing it twice changes nothing. What a failure opened before which calls had failed is looked at
 * again once the services that were called have told what they saw; until then its notifications are held.
 */
export function failureHandler(
  context: DecidingContext,
): (message: FailureMessage, attempt: Pick<Attempt, "number">) => Promise<Postponed | undefined> {
  return async ({ scope_id: scopeId, failures }, { number }) => {
    const thresholds = await context.control.scope(scopeId).thresholds.read();
    const now = new Date(context.clock());
    let againInMs = 0;
    for (const group of groupFailures(failures)) {
      const toDecide = { scopeId, group, thresholds, now };
      const waitMs = number === 1 ? waitForCallees(group, now.getTime()) : 0;
      const isHeld = await new GroupDecider(context, toDecide, waitMs).decide();
      if (isHeld) againInMs = Math.max(againInMs, waitMs);
      else if (group.hasFailedCalls && waitMs === 0) await correlateAgain(context, toDecide);
    }
    context.relayOutbox();
    return againInMs > 0 ? { againInMs, reason: "the services that were called have not told yet" } : undefined;
  };
}

/** Decides about one failure. */
class GroupDecider {
  readonly #context: DecidingContext;
  readonly #toDecide: GroupToDecide;
  /** Until when what it opens is held; undefined: it is not. */
  readonly #heldUntil: Date | undefined;
  /** As the decision found it; it tells where to look. */
  #known: KnownFailure | null = null;
  #isDecidedBefore = true;

  constructor(context: DecidingContext, toDecide: GroupToDecide, waitMs: number) {
    this.#context = context;
    this.#toDecide = toDecide;
    this.#heldUntil = waitMs > 0 ? new Date(toDecide.now.getTime() + waitMs + holdGraceMs) : undefined;
  }

  /** Whether there is an incident whose notifications are held for this failure from now on. */
  async decide(): Promise<boolean> {
    const { scopeId, group, now } = this.#toDecide;
    const { failures } = this.#context.control.scope(scopeId);
    let mayHold = false;
    const noted = <Decided extends DecidedFailure | JoiningFailure | null>(decided: Decided): Decided => {
      this.#isDecidedBefore = false;
      mayHold = decided !== null && ("incident" in decided || ("joining" in decided && decided.joining.root !== null));
      return decided;
    };
    const decision = await decideWithContext<FailureContext>(failures, occurrencesOf(group, now), {
      decide: (known, found) => noted(this.#decideSeeing(known, found)),
      readContext: () => readFailureContext(this.#context, this.#toDecide, this.#known),
      decideAlone: (known) => noted(this.#decideAlone(known)),
    });
    if (!this.#isDecidedBefore) this.#count(decision);
    return this.#heldUntil !== undefined && mayHold;
  }

  #decideAlone(known: KnownFailure | null, opening?: Opening): DecidedFailure {
    const { group, thresholds, now } = this.#toDecide;
    const decided = decideFailure(group, known, thresholds, now, opening);
    const heldUntil = this.#heldUntil;
    return "incident" in decided ? { ...decided, incident: { ...decided.incident, heldUntil } } : decided;
  }

  #decideSeeing(known: KnownFailure | null, found: FailureContext | null): DecidedFailure | JoiningFailure | null {
    this.#known = known;
    const isChecked = isCheckDue(known, this.#toDecide.now);
    const plain = this.#decideAlone(known);
    const isJoining = plain.decision.outcome === "joined";
    if (!found) return "incident" in plain || (isChecked && isJoining) ? null : plain;
    if (isChecked && isJoining && known && found.isTelling) return this.#decideChecked(plain, known, found);
    const mayJoin = "incident" in plain && !plain.history.apart;
    return mayJoin && found.relation ? joinInstead(plain, found.relation) : plain;
  }

  /** Of a failure that had joined an incident: whether it stays there. */
  #decideChecked(
    plain: DecidedFailure,
    known: KnownFailure,
    { relation }: FailureContext,
  ): DecidedFailure | JoiningFailure {
    const opening = noLongerExplained(known, relation);
    if (!opening) return "incident" in plain ? plain : { ...plain, checked: { reason: relation?.reason ?? "" } };
    const own = this.#decideAlone(known, opening);
    return "incident" in own && relation ? joinInstead(own, relation) : own;
  }

  #count({ outcome, rule }: Decision): void {
    this.#context.metrics.incidents.inc({ outcome, rule });
  }
}

function occurrencesOf({ worst, times }: FailureGroup, now: Date): Occurrences {
  const { fingerprint, service, env, event_id: eventId } = worst;
  const at = (ms: number | undefined): string => (ms === undefined ? worst.at : new Date(ms).toISOString());
  return {
    ...{ fingerprint, service, env, eventId, now },
    events: times.length,
    firstAt: at(times[0]),
    lastAt: at(times.at(-1)),
  };
}
