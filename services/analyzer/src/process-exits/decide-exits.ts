import type { SilentDeath } from "@whence/protocol";
import type { ControlDb, DecidedFailure, EventStore, KnownFailure, ProcessLife } from "@whence/storage";
import { decideDeath, failureOfDeath, occurrencesOfDeath, skipDeath } from "../incidents/decide/process-exit.ts";
import { decideWithLook } from "../incidents/decide-with-context.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { type FoundAroundDeath, joinRelated, lookAroundDeath } from "./exit-context.ts";
import type { NoticedDeath } from "./exits-of-cluster.ts";
import { isStillBlocked } from "./hung-processes.ts";
import { type Listening, lastHeard, type SilenceTimes } from "./missing-heartbeats.ts";

export interface DeathRecordParts {
  readonly control: ControlDb;
  readonly events: EventStore;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<AnalyzerMetrics, "incidents" | "silences">;
  readonly relayOutbox: () => void;
  readonly times: SilenceTimes;
  /** For how long a process is remembered after it was heard last. */
  readonly lookBackMs: number;
}

/** What was decided about silent processes: in the database, for all analyzers, and what this one must take back. */
export class DeathRecord {
  readonly #parts: DeathRecordParts;
  /** Processes that this analyzer decided about, and when they had been heard last. */
  readonly #decided = new Map<string, { readonly at: number; readonly death: SilentDeath | null }>();

  constructor(parts: DeathRecordParts) {
    this.#parts = parts;
  }

  /** Opens an incident, joins one, or says why not. */
  async decide(scopeId: string, { death, lives, skip }: NoticedDeath): Promise<void> {
    const { control, clock, metrics, relayOutbox } = this.#parts;
    const { failures, thresholds } = control.scope(scopeId);
    const group = failureOfDeath(death);
    const chosen = await thresholds.read();
    const now = new Date(clock());
    const decideAlone = (known: KnownFailure | null): DecidedFailure =>
      skip ? skipDeath(group, known, chosen, skip) : decideDeath(death, group, known, chosen, now);
    const decision = await decideWithLook<FoundAroundDeath>(failures, occurrencesOfDeath(group, now), {
      decide: (known, found) => joinRelated(decideAlone(known), found),
      look: () => lookAroundDeath(this.#parts, scopeId, group, chosen),
      decideBlindly: decideAlone,
    });
    metrics.incidents.inc({ outcome: decision.outcome, rule: decision.rule });
    metrics.silences.inc({ outcome: skip ? skip.rule : death.kind });
    relayOutbox();
    await this.remember(scopeId, lives, skip ? null : death);
  }

  /** Nobody decides about these again. */
  async remember(scopeId: string, lives: readonly ProcessLife[], death: SilentDeath | null): Promise<void> {
    const { silentProcesses } = this.#parts.control.scope(scopeId);
    const now = this.#parts.clock();
    const instances = lives.map(({ instance }) => instance);
    await silentProcesses.note(instances, new Date(now));
    await silentProcesses.forgetBefore(new Date(now - 2 * this.#parts.lookBackMs));
    for (const life of lives) this.#decided.set(life.instance, { at: lastHeard(life), death });
  }

  /** Who is heard again was not dead: the record says so. */
  async noteReturns(scopeId: string, lives: readonly ProcessLife[], { now }: Listening): Promise<void> {
    for (const life of lives) {
      const decided = this.#decided.get(life.instance);
      if (!decided?.death || lastHeard(life) - decided.at < this.#parts.times.spreadMs) continue;
      if (decided.death.kind === "hung" && (await this.#isStillBlocked(scopeId, life, now))) continue;
      await this.#takeBack(scopeId, life, decided.death, now);
    }
  }

  /** Those that were heard last so long ago that nobody looks at them any more. */
  forget(now: number): void {
    for (const [instance, { at }] of this.#decided) {
      if (now - at > this.#parts.lookBackMs) this.#decided.delete(instance);
    }
  }

  #isStillBlocked(scopeId: string, life: ProcessLife, now: number): Promise<boolean> {
    const { events, lookBackMs } = this.#parts;
    const from = new Date(lastHeard(life) - lookBackMs);
    return isStillBlocked(events.forScope(scopeId), life.instance, from, new Date(now + lookBackMs));
  }

  async #takeBack(scopeId: string, life: ProcessLife, death: SilentDeath, now: number): Promise<void> {
    const { control, metrics } = this.#parts;
    const { failures, thresholds, silentProcesses } = control.scope(scopeId);
    const group = failureOfDeath(death);
    const reason = `process ${life.instance} was heard again at ${life.lastHeardAt}: it was suspended, stood still for a while, or could not be reached`;
    const occurrences = { ...occurrencesOfDeath(group, new Date(now)), eventId: `${life.instance} is back` };
    const chosen = await thresholds.read();
    await failures.decide(occurrences, (known) => skipDeath(group, known, chosen, { rule: "heard-again", reason }));
    metrics.silences.inc({ outcome: "heard-again" });
    this.#decided.delete(life.instance);
    await silentProcesses.forget(life.instance);
  }
}
