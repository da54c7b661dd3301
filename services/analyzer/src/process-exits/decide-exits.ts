import { type ProcessExit, withInstructions } from "@whence/protocol";
import type { EventStore, FailureScope, InstructionsScope, ProcessLife, Scoped } from "@whence/storage";
import type { ExitOrigin } from "../incidents/decide/incident-origin.ts";
import { failureOfExit } from "../incidents/decide/process-exit.ts";
import { openForOccurrences } from "../incidents/open-incident.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import type { NoticedExit } from "./exits-of-cluster.ts";
import { isStillBlocked } from "./hung-processes.ts";
import { type ExitTimes, type Listening, lastSeen } from "./missing-heartbeats.ts";

export interface ExitDecisionsParts {
  readonly control: Scoped<FailureScope & InstructionsScope>;
  readonly events: EventStore;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<AnalyzerMetrics, "incidents" | "processExits">;
  readonly relayOutbox: () => void;
  readonly times: ExitTimes;
  /** How long a process is remembered after its last telemetry. */
  readonly lookBackMs: number;
}

/** Decisions about processes that stopped: in the database for all analyzers, and in memory for those that this one may revise. */
export class ExitDecisions {
  readonly #parts: ExitDecisionsParts;
  /** Processes that this analyzer decided about, and their last telemetry at that time. */
  readonly #decided = new Map<string, { readonly at: number; readonly exit: ProcessExit | null }>();

  constructor(parts: ExitDecisionsParts) {
    this.#parts = parts;
  }

  /** Opens an incident, joins one, or records why not. */
  async decide(scopeId: string, { exit, lives, skip }: NoticedExit): Promise<void> {
    const group = failureOfExit(exit);
    await this.#open(scopeId, { kind: "process-exit", group, exit, skip });
    this.#parts.metrics.processExits.inc({ outcome: skip ? skip.rule : exit.kind });
    await this.remember(scopeId, lives, skip ? null : exit);
  }

  /** Keeps all analyzers from deciding about these processes again. */
  async remember(scopeId: string, lives: readonly ProcessLife[], exit: ProcessExit | null): Promise<void> {
    const { exitedProcesses } = this.#parts.control.scope(scopeId);
    const now = this.#parts.clock();
    const instances = lives.map(({ instance }) => instance);
    await exitedProcesses.note(instances, new Date(now));
    await exitedProcesses.forgetBefore(new Date(now - 2 * this.#parts.lookBackMs));
    for (const life of lives) this.#decided.set(life.instance, { at: lastSeen(life), exit });
  }

  /** Records that processes hadn't ended when they send telemetry again. */
  async noteReturns(scopeId: string, lives: readonly ProcessLife[], { now }: Listening): Promise<void> {
    for (const life of lives) {
      const decided = this.#decided.get(life.instance);
      if (!decided?.exit || lastSeen(life) - decided.at < this.#parts.times.spreadMs) continue;
      if (decided.exit.kind === "hung" && (await this.#isStillBlocked(scopeId, life, now))) continue;
      await this.#takeBack(scopeId, life, decided.exit);
    }
  }

  /** Forgets processes whose last telemetry is older than what is looked at. */
  forget(now: number): void {
    for (const [instance, { at }] of this.#decided) {
      if (now - at > this.#parts.lookBackMs) this.#decided.delete(instance);
    }
  }

  #isStillBlocked(scopeId: string, life: ProcessLife, now: number): Promise<boolean> {
    const { events, lookBackMs } = this.#parts;
    const from = new Date(lastSeen(life) - lookBackMs);
    return isStillBlocked(events.forScope(scopeId), life.instance, from, new Date(now + lookBackMs));
  }

  async #takeBack(scopeId: string, life: ProcessLife, exit: ProcessExit): Promise<void> {
    const { control, metrics } = this.#parts;
    const group = failureOfExit(exit);
    const reason = `process ${life.instance} sent a heartbeat again at ${life.lastSeenAt}: it had been suspended, frozen, or cut off from the network`;
    const worst = { ...group.worst, event_id: `${life.instance} is back` };
    const skip = { rule: "heard-again", reason };
    await this.#open(scopeId, { kind: "process-exit", group: { ...group, worst }, exit, skip });
    metrics.processExits.inc({ outcome: "heard-again" });
    this.#decided.delete(life.instance);
    await control.scope(scopeId).exitedProcesses.forget(life.instance);
  }

  async #open(scopeId: string, origin: ExitOrigin): Promise<void> {
    const { control, clock } = this.#parts;
    const scope = control.scope(scopeId);
    const [chosen, { text }] = await Promise.all([scope.thresholds.read(), scope.instructions.read()]);
    const thresholds = withInstructions(chosen, text);
    await openForOccurrences(this.#parts, { scopeId, origin, thresholds, now: new Date(clock()) });
  }
}
