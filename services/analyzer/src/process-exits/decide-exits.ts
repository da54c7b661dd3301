import type { ProcessExit } from "@whence/protocol";
import type { ControlDb, DecidedFailure, EventStore, KnownFailure, ProcessLife } from "@whence/storage";
import { decideExit, failureOfExit, occurrencesOfExit, skipExit } from "../incidents/decide/process-exit.ts";
import { decideWithContext } from "../incidents/decide-with-context.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { type ExitContext, joinRelated, readExitContext } from "./exit-context.ts";
import type { NoticedExit } from "./exits-of-cluster.ts";
import { isStillBlocked } from "./hung-processes.ts";
import { type Listening, lastHeard, type SilenceTimes } from "./missing-heartbeats.ts";

export interface ExitDecisionsParts {
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
export class ExitDecisions {
  readonly #parts: ExitDecisionsParts;
  /** Processes that this analyzer decided about, and when they had been heard last. */
  readonly #decided = new Map<string, { readonly at: number; readonly death: ProcessExit | null }>();

  constructor(parts: ExitDecisionsParts) {
    this.#parts = parts;
  }

  /** Opens an incident, joins one, or says why not. */
  async decide(scopeId: string, { death, lives, skip }: NoticedExit): Promise<void> {
    const { control, clock, metrics, relayOutbox } = this.#parts;
    const { failures, thresholds } = control.scope(scopeId);
    const group = failureOfExit(death);
    const chosen = await thresholds.read();
    const now = new Date(clock());
    const decideAlone = (known: KnownFailure | null): DecidedFailure =>
      skip ? skipExit(group, known, chosen, skip) : decideExit(death, group, known, chosen, now);
    const decision = await decideWithContext<ExitContext>(failures, occurrencesOfExit(group, now), {
      decide: (known, found) => joinRelated(decideAlone(known), found),
      readContext: () => readExitContext(this.#parts, scopeId, group, chosen),
      decideAlone: decideAlone,
    });
    metrics.incidents.inc({ outcome: decision.outcome, rule: decision.rule });
    metrics.silences.inc({ outcome: skip ? skip.rule : death.kind });
    relayOutbox();
    await this.remember(scopeId, lives, skip ? null : death);
  }

  /** Nobody decides about these again. */
  async remember(scopeId: string, lives: readonly ProcessLife[], death: ProcessExit | null): Promise<void> {
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

  async #takeBack(scopeId: string, life: ProcessLife, death: ProcessExit, now: number): Promise<void> {
    const { control, metrics } = this.#parts;
    const { failures, thresholds, silentProcesses } = control.scope(scopeId);
    const group = failureOfExit(death);
    const reason = `process ${life.instance} was heard again at ${life.lastHeardAt}: it was suspended, stood still for a while, or could not be reached`;
    const occurrences = { ...occurrencesOfExit(group, new Date(now)), eventId: `${life.instance} is back` };
    const chosen = await thresholds.read();
    await failures.decide(occurrences, (known) => skipExit(group, known, chosen, { rule: "heard-again", reason }));
    metrics.silences.inc({ outcome: "heard-again" });
    this.#decided.delete(life.instance);
    await silentProcesses.forget(life.instance);
  }
}
