import type { Decision, FailureMessage, IncidentThresholds } from "@whence/protocol";
import type {
  ControlDb,
  DecidedFailure,
  EventStore,
  JoiningFailure,
  KnownFailure,
  Occurrences,
  RecentIncident,
  ScopedEvents,
} from "@whence/storage";
import { decideFailure, joinInstead } from "../intake/decide.ts";
import { type FailureGroup, groupFailures } from "../intake/failure-group.ts";
import type { Relation } from "../intake/relation.ts";
import { checkedEventsMin, isCheckDue, noLongerExplained } from "../intake/still-joined.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import {
  comparedMs,
  comparedSpan,
  findRelation,
  ownEvents,
  possiblyRelated,
  waitForCallees,
} from "../relations/look-around.ts";
import type { Attempt, Postponed } from "./consume.ts";
import { decideWithLook, type Seen } from "./decide-with-look.ts";

const minuteMs = 60_000;

export interface FailureContext {
  readonly control: ControlDb;
  readonly events: EventStore;
  readonly clock: () => number;
  readonly relayOutbox: () => void;
  readonly logger: Logger;
  readonly metrics: AnalyzerMetrics;
}

/**
 * Decides about each failure of one message, all its occurrences together, the worst failure first: opened, joined or
 * skipped. Doing it twice changes nothing. A failure before which calls had failed waits once until whoever was called
 * will have told what it saw.
 */
export function failureHandler(
  context: FailureContext,
): (message: FailureMessage, attempt: Pick<Attempt, "number">) => Promise<Postponed | undefined> {
  return async ({ scope_id: scopeId, failures }, { number }) => {
    const thresholds = await context.control.scope(scopeId).thresholds.read();
    let againInMs = 0;
    for (const group of groupFailures(failures)) {
      const decider = new GroupDecider(context, scopeId, group, thresholds);
      const waits = await decider.decide({ mayWait: number === 1 });
      againInMs = Math.max(againInMs, waits);
    }
    context.relayOutbox();
    return againInMs > 0 ? { againInMs, reason: "the services that were called have not told yet" } : undefined;
  };
}

/** What was found around a failure that is about to open an incident. */
interface Found extends Seen {
  /** The incident that it belongs to; null: to none. */
  readonly relation: Relation | null;
  /** Whether there is enough to say that it belongs to none. */
  readonly isTelling: boolean;
}

/** Decides about one failure. */
class GroupDecider {
  readonly #context: FailureContext;
  readonly #scopeId: string;
  readonly #group: FailureGroup;
  readonly #thresholds: IncidentThresholds;
  readonly #now: Date;
  /** As the decision found it; it tells where to look. */
  #known: KnownFailure | null = null;
  #waitMs = 0;

  constructor(context: FailureContext, scopeId: string, group: FailureGroup, thresholds: IncidentThresholds) {
    this.#context = context;
    this.#scopeId = scopeId;
    this.#group = group;
    this.#thresholds = thresholds;
    this.#now = new Date(context.clock());
  }

  /** In milliseconds, how long to wait before it is asked again; 0 when it is decided. */
  async decide({ mayWait }: { mayWait: boolean }): Promise<number> {
    const { failures } = this.#context.control.scope(this.#scopeId);
    const decision = await decideWithLook<Found>(failures, occurrencesOf(this.#group, this.#now), {
      decide: (known, found) => this.#decideSeeing(known, found),
      look: () => this.#look(mayWait),
      decideBlindly: (known) => decideFailure(this.#group, known, this.#thresholds, this.#now),
    });
    if (!decision) return this.#waitMs;
    this.#count(decision);
    return 0;
  }

  #decideSeeing(known: KnownFailure | null, found: Found | null): DecidedFailure | JoiningFailure | null {
    this.#known = known;
    const isChecked = isCheckDue(known, this.#now);
    const plain = decideFailure(this.#group, known, this.#thresholds, this.#now);
    const isJoining = plain.decision.outcome === "joined";
    if (!found) return "incident" in plain || (isChecked && isJoining) ? null : plain;
    if (isChecked && isJoining && known && found.isTelling) return this.#decideChecked(plain, known, found);
    const mayJoin = "incident" in plain && !plain.history.apart;
    return mayJoin && found.relation ? joinInstead(plain, found.relation) : plain;
  }

  /** Of a failure that had joined an incident: whether it stays there. */
  #decideChecked(plain: DecidedFailure, known: KnownFailure, { relation }: Found): DecidedFailure | JoiningFailure {
    const opening = noLongerExplained(known, relation);
    if (!opening) return "incident" in plain ? plain : { ...plain, checked: { reason: relation?.reason ?? "" } };
    const own = decideFailure(this.#group, known, this.#thresholds, this.#now, opening);
    return "incident" in own && relation ? joinInstead(own, relation) : own;
  }

  async #look(mayWait: boolean): Promise<Found | null> {
    const { control, logger, events } = this.#context;
    const { env, fingerprint } = this.#group.worst;
    this.#waitMs = mayWait ? waitForCallees(this.#group, this.#now.getTime()) : 0;
    if (this.#waitMs > 0) return null;
    const since = new Date(this.#now.getTime() - this.#thresholds.join_minutes * minuteMs);
    const incidentId = this.#known?.joined ? this.#known.incidentId : null;
    const { failures } = control.scope(this.#scopeId);
    const { opened, incidents } = await failures.openIncidents({ env, since, incidentId: incidentId ?? undefined });
    const related = this.#thresholds.join_minutes === 0 ? [] : possiblyRelated(this.#group, incidents);
    if (related.length === 0) return { opened, relation: null, isTelling: incidentId !== null };
    try {
      return { opened, ...(await this.#compare(events.forScope(this.#scopeId), related)) };
    } catch (error) {
      // An incident too many is better than none.
      logger.warn({ err: error, fingerprint }, "what a failure is related to could not be looked at; it opens its own");
      return { opened, relation: null, isTelling: false };
    }
  }

  async #compare(events: ScopedEvents, incidents: readonly RecentIncident[]): Promise<Omit<Found, "opened">> {
    const now = this.#now.getTime();
    const latest = this.#group.times.at(-1) ?? now;
    const checkedAt = this.#known?.joined ? Date.parse(this.#known.joined.checkedAt) : null;
    const from = checkedAt ?? Math.min(now, latest) - comparedMs;
    const span = comparedSpan(this.#group.worst.env, from, Math.max(now, latest));
    const own = await ownEvents(events, this.#group, span);
    const relation = await findRelation(events, this.#group, own, incidents, span);
    return { relation, isTelling: own.length >= checkedEventsMin };
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
