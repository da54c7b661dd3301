import type { Decision, InstructedThresholds } from "@whence/protocol";
import type { DecidedFailure, FailureRepository, JoiningFailure, KnownFailure, Occurrences } from "@whence/storage";
import { readExitContext } from "./correlate/exit-context.ts";
import { type FailureContext, readFailureContext } from "./correlate/failure-context.ts";
import type { DecisionSources } from "./correlate/group-to-decide.ts";
import { decide, joinInstead } from "./decide/decide.ts";
import { occurrencesOf } from "./decide/failure-group.ts";
import type { OccurrencesOrigin } from "./decide/incident-origin.ts";
import type { Opening } from "./decide/opening.ts";
import { isCheckDue, noLongerExplained } from "./decide/still-joined.ts";

/** How often other analyzers may open an incident in the meantime before this one decides without its context. */
const readsMax = 5;
const unseen = { opened: -1 };

/** Occurrences to decide about, with their scope and thresholds. */
export interface OccurrencesToDecide {
  readonly scopeId: string;
  readonly origin: OccurrencesOrigin;
  readonly thresholds: InstructedThresholds;
  readonly now: Date;
  /** Until when the notifications of a new incident are held; absent when they aren't. */
  readonly heldUntil?: Date | undefined;
}

/** A decision that is stored. */
export interface TakenDecision {
  readonly decision: Decision;
  /** False when these occurrences had been decided about before. */
  readonly isNew: boolean;
  /** Whether an incident was opened for the failure, or named after it. */
  readonly namesIncident: boolean;
}

/** Decides about one group of occurrences: whether it is known already, joins an incident, opens one, or is skipped. */
export class OccurrencesDecider {
  readonly #sources: DecisionSources;
  readonly #toDecide: OccurrencesToDecide;
  readonly #failures: FailureRepository;
  readonly #occurrences: Occurrences;
  /** The failure as stored, which its context depends on. */
  #known: KnownFailure | null = null;
  #isNew = false;
  #namesIncident = false;

  constructor(sources: DecisionSources, toDecide: OccurrencesToDecide) {
    this.#sources = sources;
    this.#toDecide = toDecide;
    this.#failures = sources.control.scope(toDecide.scopeId).failures;
    this.#occurrences = occurrencesOf(toDecide.origin.group, toDecide.now);
  }

  async decide(): Promise<TakenDecision> {
    const decision = await this.#decideInContext();
    return { decision, isNew: this.#isNew, namesIncident: this.#isNew && this.#namesIncident };
  }

  /**
   * Reads the context only where the decision depends on it. When two analyzers open incidents at the same moment, the
   * second one reads again and sees what the first one opened.
   */
  async #decideInContext(): Promise<Decision> {
    const plain = await this.#decideAsSeen(null);
    if (plain) return plain;
    for (let reads = 0; reads < readsMax; reads += 1) {
      const decision = await this.#decideAsSeen(await this.#readContext());
      if (decision) return decision;
    }
    this.#isNew = false;
    return this.#failures.decide(this.#occurrences, (known) => this.#noted(this.#decideAlone(known)));
  }

  #decideAsSeen(found: FailureContext | null): Promise<Decision | null> {
    this.#isNew = false;
    return this.#failures.decideAsSeen(found ?? unseen, this.#occurrences, (known) => {
      this.#known = known;
      const decided = this.#related(known, found);
      return decided && this.#noted(decided);
    });
  }

  #readContext(): Promise<FailureContext> {
    const { origin } = this.#toDecide;
    return origin.kind === "failure"
      ? readFailureContext(this.#sources, { ...this.#toDecide, group: origin.group }, this.#known)
      : readExitContext(this.#sources, { ...this.#toDecide, group: origin.group });
  }

  /** The decision given the context; null: read that first. */
  #related(known: KnownFailure | null, found: FailureContext | null): DecidedFailure | JoiningFailure | null {
    const plain = this.#decideAlone(known);
    const isChecked = isCheckDue(known, this.#toDecide.now) && plain.decision.outcome === "joined";
    if (!found) return "incident" in plain || isChecked ? null : plain;
    if (isChecked && known && found.isTelling) return this.#decideChecked(plain, known, found);
    const mayJoin = "incident" in plain && !plain.history.apart;
    return mayJoin && found.relation ? joinInstead(plain, found.relation) : plain;
  }

  /** Whether a failure that had joined an incident stays there. */
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

  #decideAlone(known: KnownFailure | null, opening?: Opening): DecidedFailure {
    const { origin, thresholds, now, heldUntil } = this.#toDecide;
    const decided = decide(origin, known, thresholds, now, opening);
    return "incident" in decided ? { ...decided, incident: { ...decided.incident, heldUntil } } : decided;
  }

  #noted<Decided extends DecidedFailure | JoiningFailure>(decided: Decided): Decided {
    this.#isNew = true;
    this.#namesIncident = "incident" in decided || ("joining" in decided && decided.joining.root !== null);
    return decided;
  }
}
