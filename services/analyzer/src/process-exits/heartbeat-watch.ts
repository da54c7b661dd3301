import { hostname } from "node:os";
import { type ControlDb, type EventStore, type ProcessLife, type Queue, telemetryTopic } from "@whence/storage";
import { monitoredEnv } from "../incidents/decide/decide.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { ExitDecisions } from "./decide-exits.ts";
import { exitsOfCluster } from "./exits-of-cluster.ts";
import { hungProcesses } from "./hung-processes.ts";
import {
  isSuspicious,
  type Listening,
  patienceWhenSuspicious,
  type SilenceTimes,
  silenceTimes,
  silentClusters,
} from "./missing-heartbeats.ts";

/** Two heartbeats of 60 s that did not come, and half a minute for their way. */
export const defaultSilentAfterMs = 150_000;
const looksPerSilence = 5;
/** Only processes that were heard in so long are looked at. */
const lookBackMs = 6 * 3_600_000;
const processesMax = 10_000;
/** A pulse of a gateway counts for so long, as the gateway has it. */
const pulseFreshMs = 30_000;
/** Telemetry that waits for so long is a writer that is behind: whom it has not stored is not silent. */
const backlogMaxMs = 20_000;

export interface SilenceWatchOptions {
  readonly control: ControlDb;
  readonly events: EventStore;
  readonly queue: Pick<Queue, "depth">;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<AnalyzerMetrics, "incidents" | "silences">;
  readonly relayOutbox: () => void;
  /** How long a process may be silent before it counts as gone. */
  readonly silentAfterMs?: number;
  /** The name of this machine. */
  readonly ownHost?: string;
}

export interface SilenceWatch {
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

/**
 * Finds processes that ended without telling, or stand still, and opens an incident for them. Any number of analyzers
 * may watch: a process is decided about once. While no gateway takes telemetry, or the writer is behind, nobody counts
 * as silent; who fell silent before that is not known to have told nobody, and is left alone.
 */
export function startSilenceWatch(options: SilenceWatchOptions): SilenceWatch {
  const { silentAfterMs = defaultSilentAfterMs, logger } = options;
  const watch = new SilenceLook(options, silenceTimes(silentAfterMs));
  let running: Promise<void> | undefined;

  function start(): void {
    running ??= watch
      .look()
      .catch((error: unknown) => {
        logger.error({ err: error }, "silent processes could not be looked for; they are looked for again");
      })
      .finally(() => {
        running = undefined;
      });
  }

  const looking = setInterval(start, silentAfterMs / looksPerSilence).unref();
  return {
    async stop() {
      clearInterval(looking);
      await running;
    },
  };
}

/** The processes of one scope that were heard lately. */
interface Heard {
  readonly scopeId: string;
  readonly lives: readonly ProcessLife[];
  /** Those of them that nobody has decided about yet. */
  readonly undecided: readonly ProcessLife[];
}

/** One look after the other, by one analyzer. */
class SilenceLook {
  readonly #options: SilenceWatchOptions;
  readonly #times: SilenceTimes;
  readonly #ownHost: string;
  readonly #record: ExitDecisions;

  constructor(options: SilenceWatchOptions, times: SilenceTimes) {
    this.#options = options;
    this.#times = times;
    this.#ownHost = options.ownHost ?? hostname();
    this.#record = new ExitDecisions({ ...options, times, lookBackMs });
  }

  async look(): Promise<void> {
    const now = this.#options.clock();
    const since = await this.#listeningSince(now);
    if (since === null) return;
    this.#record.forget(now);
    const heard = await this.#heardSince(new Date(now - lookBackMs));
    const suspicious = isSuspicious(
      heard.map(({ undecided }) => undecided),
      { now, since },
      this.#times,
    );
    if (suspicious) this.#options.metrics.silences.inc({ outcome: "held" });
    const listening: Listening = { now, since, patience: suspicious ? patienceWhenSuspicious : 1 };
    for (const one of heard) await this.#lookAt(one, listening);
  }

  /** Since when whoever speaks is heard. Null: nobody is now. */
  async #listeningSince(now: number): Promise<number | null> {
    const { control, queue } = this.#options;
    const since = await control.pulses.takingSince(new Date(now - pulseFreshMs));
    const { oldestAt } = await queue.depth(telemetryTopic);
    const isBehind = oldestAt !== null && now - Date.parse(oldestAt) > backlogMaxMs;
    return since === null || isBehind ? null : since.getTime();
  }

  async #heardSince(from: Date): Promise<Heard[]> {
    const { control, events } = this.#options;
    const since = from.toISOString();
    const heard: Heard[] = [];
    for (const scopeId of await events.activeScopes(monitoredEnv, since)) {
      const lives = await events.forScope(scopeId).processes({ env: monitoredEnv, since, limit: processesMax });
      const decided = await control.scope(scopeId).silentProcesses.decided(from);
      heard.push({ scopeId, lives, undecided: lives.filter(({ instance }) => !decided.has(instance)) });
    }
    return heard;
  }

  async #lookAt({ scopeId, lives, undecided }: Heard, listening: Listening): Promise<void> {
    const events = this.#options.events.forScope(scopeId);
    await this.#record.noteReturns(scopeId, lives, listening);
    const hung = await hungProcesses(events, undecided, listening, this.#times);
    for (const { life, death } of hung) await this.#record.decide(scopeId, { death, lives: [life], skip: null });
    const named = new Set(hung.map(({ life }) => life.instance));
    const silent = undecided.filter(({ instance }) => !named.has(instance));
    for (const cluster of silentClusters(silent, listening, this.#times)) {
      const around = { events, lives, listening, times: this.#times, ownHost: this.#ownHost };
      const { reported, exits } = await exitsOfCluster(cluster, around);
      await this.#record.remember(scopeId, reported, null);
      for (const one of exits) await this.#record.decide(scopeId, one);
    }
  }
}
