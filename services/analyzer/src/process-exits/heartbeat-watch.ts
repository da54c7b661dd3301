import { hostname } from "node:os";
import { hourMs, monitoredEnv } from "@whence/protocol";
import type {
  EventStore,
  FailureScope,
  InstructionsScope,
  LivenessStore,
  ProcessLife,
  Queue,
  Scoped,
} from "@whence/storage";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { ExitDecisions } from "./decide-exits.ts";
import { exitsOfCluster } from "./exits-of-cluster.ts";
import { hungProcesses } from "./hung-processes.ts";
import { listeningSince } from "./listening.ts";
import {
  type ExitTimes,
  exitClusters,
  exitTimes,
  isSuspicious,
  type Listening,
  patienceWhenSuspicious,
} from "./missing-heartbeats.ts";

/** Two missed heartbeats, 60 s apart, and half a minute for delivery. */
export const defaultExitAfterMs = 150_000;
const looksPerExit = 5;
/** Processes whose last telemetry is older than this are ignored. */
const lookBackMs = 6 * hourMs;
const processesMax = 10_000;

export interface ExitWatchOptions {
  readonly control: LivenessStore & Scoped<FailureScope & InstructionsScope>;
  readonly events: EventStore;
  readonly queue: Pick<Queue, "depth">;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<AnalyzerMetrics, "incidents" | "processExits">;
  readonly relayOutbox: () => void;
  /** How long a process may send nothing before it counts as ended. */
  readonly exitAfterMs?: number;
  /** The name of this machine. */
  readonly ownHost?: string;
}

export interface ExitWatch {
  /** Resolves when no look is running. */
  stop(): Promise<void>;
}

/**
 * Finds processes that ended without reporting it, or hang, and opens an incident for them. Any number of analyzers may
 * watch: a process is decided about once. While no gateway takes telemetry, or the writer is behind, no process counts as
 * ended. Processes that stopped before that are ignored, because their report of the exit may have been lost.
 */
export function startExitWatch(options: ExitWatchOptions): ExitWatch {
  const { exitAfterMs = defaultExitAfterMs, logger } = options;
  const watch = new ExitLook(options, exitTimes(exitAfterMs));
  let running: Promise<void> | undefined;

  function start(): void {
    running ??= watch
      .look()
      .catch((error: unknown) => {
        logger.error({ err: error }, "could not look for process exits; will retry");
      })
      .finally(() => {
        running = undefined;
      });
  }

  const looking = setInterval(start, exitAfterMs / looksPerExit).unref();
  return {
    async stop() {
      clearInterval(looking);
      await running;
    },
  };
}

/** The processes of one scope that sent telemetry recently. */
interface RecentProcesses {
  readonly scopeId: string;
  readonly lives: readonly ProcessLife[];
  /** Those that no analyzer has decided about yet. */
  readonly undecided: readonly ProcessLife[];
}

/** Looks for process exits on behalf of one analyzer. */
class ExitLook {
  readonly #options: ExitWatchOptions;
  readonly #times: ExitTimes;
  readonly #ownHost: string;
  readonly #record: ExitDecisions;

  constructor(options: ExitWatchOptions, times: ExitTimes) {
    this.#options = options;
    this.#times = times;
    this.#ownHost = options.ownHost ?? hostname();
    this.#record = new ExitDecisions({ ...options, times, lookBackMs });
  }

  async look(): Promise<void> {
    const now = this.#options.clock();
    const since = await listeningSince(this.#options, now);
    if (since === null) return;
    this.#record.forget(now);
    const recent = await this.#recentProcesses(new Date(now - lookBackMs));
    const suspicious = isSuspicious(
      recent.map(({ undecided }) => undecided),
      { now, since },
      this.#times,
    );
    if (suspicious) this.#options.metrics.processExits.inc({ outcome: "held" });
    const listening: Listening = { now, since, patience: suspicious ? patienceWhenSuspicious : 1 };
    for (const one of recent) await this.#lookAt(one, listening);
  }

  async #recentProcesses(from: Date): Promise<RecentProcesses[]> {
    const { control, events } = this.#options;
    const since = from.toISOString();
    const recent: RecentProcesses[] = [];
    for (const scopeId of await events.activeScopes(monitoredEnv, since)) {
      const lives = await events.forScope(scopeId).processes({ env: monitoredEnv, since, limit: processesMax });
      const decided = await control.scope(scopeId).exitedProcesses.decided(from);
      recent.push({ scopeId, lives, undecided: lives.filter(({ instance }) => !decided.has(instance)) });
    }
    return recent;
  }

  async #lookAt({ scopeId, lives, undecided }: RecentProcesses, listening: Listening): Promise<void> {
    const events = this.#options.events.forScope(scopeId);
    await this.#record.noteReturns(scopeId, lives, listening);
    const hung = await hungProcesses(events, undecided, listening, this.#times);
    for (const { life, exit } of hung) await this.#record.decide(scopeId, { exit, lives: [life], skip: null });
    const named = new Set(hung.map(({ life }) => life.instance));
    const stopped = undecided.filter(({ instance }) => !named.has(instance));
    for (const cluster of exitClusters(stopped, listening, this.#times)) {
      const around = { events, lives, listening, times: this.#times, ownHost: this.#ownHost };
      const { reported, exits } = await exitsOfCluster(cluster, around);
      await this.#record.remember(scopeId, reported, null);
      for (const one of exits) await this.#record.decide(scopeId, one);
    }
  }
}
