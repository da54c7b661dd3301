import { hostname } from "node:os";
import type { DeathKind, SilentDeath } from "@whence/protocol";
import { type ControlDb, type EventStore, type ProcessLife, type Queue, telemetryTopic } from "@whence/storage";
import { monitoredEnv } from "../intake/decide.ts";
import { decideDeath, failureOfDeath, occurrencesOfDeath, skipDeath } from "../intake/from-death.ts";
import {
  isSuspicious,
  type Listening,
  lastHeard,
  patienceWhenSuspicious,
  type SilenceTimes,
  type SilentShape,
  shapesOf,
  silenceTimes,
  silentClusters,
} from "../intake/silence.ts";
import { assessEnd, type PossibleEnd } from "../investigation/death/assess.ts";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { blockedMs, type LastWords, readLastWords } from "./last-words.ts";

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
/** Of one cluster: more than anybody reads. */
const processesReadMax = 50;
const heartbeatsOfBlockedMax = 200;
/** Readings that say this much by themselves explain an end. */
const explainsFrom = 0.6;
/** Around an end, in which a process of another release makes it a deployment. */
const replacementMs = 15 * 60_000;
const replacementsMax = 50;

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

/** What one analyzer remembers between two looks. */
class SilenceLook {
  readonly #options: SilenceWatchOptions;
  readonly #times: SilenceTimes;
  readonly #ownHost: string;
  /** Processes that this analyzer decided about, and when they had been heard last. */
  readonly #decided = new Map<string, { readonly at: number; readonly death: SilentDeath | null }>();

  constructor(options: SilenceWatchOptions, times: SilenceTimes) {
    this.#options = options;
    this.#times = times;
    this.#ownHost = options.ownHost ?? hostname();
  }

  async look(): Promise<void> {
    const { events, clock } = this.#options;
    const now = clock();
    const since = await this.#listeningSince(now);
    if (since === null) return;
    this.#forget(now);
    const from = new Date(now - lookBackMs).toISOString();
    const heard: Heard[] = [];
    for (const scopeId of await events.scopesHeardOf(monitoredEnv, from)) {
      const filter = { env: monitoredEnv, since: from, limit: processesMax };
      const lives = await events.forScope(scopeId).processes(filter);
      const decided = await this.#options.control.scope(scopeId).silentProcesses.decided(new Date(from));
      heard.push({ scopeId, lives, undecided: lives.filter(({ instance }) => !decided.has(instance)) });
    }
    const undecided = heard.map((one) => one.undecided);
    const suspicious = isSuspicious(undecided, { now, since }, this.#times);
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

  async #lookAt({ scopeId, lives, undecided }: Heard, listening: Listening): Promise<void> {
    await this.#noteReturns(scopeId, lives, listening);
    const hung = await this.#lookForHung(scopeId, undecided, listening);
    const silent = undecided.filter(({ instance }) => !hung.has(instance));
    for (const cluster of silentClusters(silent, listening, this.#times)) {
      await this.#decideCluster(scopeId, cluster, lives, listening);
    }
  }

  async #decideCluster(
    scopeId: string,
    cluster: readonly ProcessLife[],
    lives: readonly ProcessLife[],
    { now, patience }: Listening,
  ): Promise<void> {
    const events = this.#options.events.forScope(scopeId);
    const words = new Map<string, LastWords>();
    for (const life of cluster.slice(0, processesReadMax)) words.set(life.instance, await readLastWords(events, life));
    const told = cluster.filter(({ instance }) => words.get(instance)?.toldItsEnd);
    await this.#remember(scopeId, told, null);
    const untold = cluster.filter(({ instance }) => words.has(instance) && !words.get(instance)?.toldItsEnd);
    const ends = new Map(untold.map(({ instance }) => [instance, likeliest(words.get(instance))]));
    const explained = new Set(
      [...ends]
        .filter(([, end]) => end.kind !== "killed" && end.likelihood >= explainsFrom)
        .map(([instance]) => instance),
    );
    for (const shape of shapesOf(untold, lives, { explained, ownHost: this.#ownHost })) {
      const wait = shape.shared === "everything-silent" ? patienceWhenSuspicious : patience;
      const first = shape.lives[0];
      if (first && now - lastHeard(first) < this.#times.silentAfterMs * wait) continue;
      await this.#decideShape(scopeId, shape, { words, ends, lives, now });
    }
  }

  async #decideShape(
    scopeId: string,
    { shared, lives: silent }: SilentShape,
    {
      words,
      ends,
      lives,
      now,
    }: {
      words: ReadonlyMap<string, LastWords>;
      ends: ReadonlyMap<string, PossibleEnd>;
      lives: readonly ProcessLife[];
      now: number;
    },
  ): Promise<void> {
    const processes = silent.flatMap(({ instance }) => words.get(instance)?.process ?? []);
    const [first] = silent;
    const end = ends.get(first?.instance ?? "");
    if (!first || !end) return;
    const death: SilentDeath = {
      kind: shared ?? end.kind,
      confidence: shared === null ? end.likelihood : sharedConfidence[shared],
      silentAfterMs: this.#times.silentAfterMs,
      noticedAt: new Date(now).toISOString(),
      processes,
    };
    const skip = shared === null ? await this.#reasonToSkip(scopeId, first, end, death, lives) : null;
    await this.#decide(scopeId, death, skip);
    await this.#remember(scopeId, silent, skip ? null : death);
  }

  /** An end that is no news. */
  async #reasonToSkip(
    scopeId: string,
    life: ProcessLife,
    end: PossibleEnd,
    { processes }: SilentDeath,
    lives: readonly ProcessLife[],
  ): Promise<{ rule: string; reason: string } | null> {
    if (end.kind !== "killed") return null;
    const heardForMs = lastHeard(life) - Date.parse(life.firstHeardAt);
    if (heardForMs < this.#times.spreadMs) {
      const reason = `the process was heard for ${Math.round(heardForMs / 1_000)} seconds only: a job that was done, as far as anybody can tell`;
      return { rule: "short-lived", reason };
    }
    const release = processes[0]?.release ?? "";
    const next = await this.#replacement(scopeId, life, release, lives);
    if (next === null) return null;
    const reason = `release ${next} of the service was started around the time at which this process of ${release} was heard last: a deployment that ends its predecessors without their word`;
    return { rule: "replaced-by-release", reason };
  }

  /** Another release of the service that was started around the end of this one. */
  async #replacement(
    scopeId: string,
    life: ProcessLife,
    release: string,
    lives: readonly ProcessLife[],
  ): Promise<string | null> {
    if (release === "") return null;
    const started = new Set(
      lives
        .filter(
          ({ service, firstHeardAt }) =>
            service === life.service && Math.abs(Date.parse(firstHeardAt) - lastHeard(life)) < replacementMs,
        )
        .map(({ instance }) => instance),
    );
    started.delete(life.instance);
    if (started.size === 0) return null;
    const around = { from: shifted(life.lastHeardAt, -replacementMs), to: shifted(life.lastHeardAt, replacementMs) };
    const beats = await this.#options.events
      .forScope(scopeId)
      .find({ ...around, service: life.service, types: ["heartbeat"], limit: replacementsMax });
    const other = beats.find((beat) => started.has(beat.instance) && beat.release !== "" && beat.release !== release);
    return other?.release ?? null;
  }

  /** Processes whose watching thread says that the main thread stands still, and that have not gone on since. */
  async #lookForHung(scopeId: string, lives: readonly ProcessLife[], { now }: Listening): Promise<ReadonlySet<string>> {
    const hung = new Set<string>();
    const events = this.#options.events.forScope(scopeId);
    const beats = await events.find({
      from: new Date(now - 2 * this.#times.silentAfterMs).toISOString(),
      to: new Date(now + this.#times.silentAfterMs).toISOString(),
      ...{ types: ["heartbeat"], levels: ["error"], limit: heartbeatsOfBlockedMax },
    });
    const newest = new Map(beats.toReversed().map((beat) => [beat.instance, beat]));
    for (const life of lives) {
      const beat = newest.get(life.instance);
      if (!beat || life.ended) continue;
      const isLatest = Date.parse(beat.receivedAt) >= lastHeard(life);
      if (!isLatest || blockedMs(beat) < this.#times.spreadMs) continue;
      const words = await readLastWords(events, life);
      const end = likeliest(words);
      const death: SilentDeath = {
        ...{ kind: "hung", confidence: end.likelihood, silentAfterMs: this.#times.silentAfterMs },
        ...{ noticedAt: new Date(now).toISOString(), processes: [words.process] },
      };
      await this.#decide(scopeId, death, null);
      await this.#remember(scopeId, [life], death);
      hung.add(life.instance);
    }
    return hung;
  }

  async #decide(scopeId: string, death: SilentDeath, skip: { rule: string; reason: string } | null): Promise<void> {
    const { control, clock, metrics, relayOutbox } = this.#options;
    const { failures, thresholds } = control.scope(scopeId);
    const group = failureOfDeath(death);
    const chosen = await thresholds.read();
    const now = new Date(clock());
    const { outcome, rule } = await failures.decide(occurrencesOfDeath(group, now), (known) =>
      skip ? skipDeath(group, known, chosen, skip) : decideDeath(death, group, known, chosen, now),
    );
    metrics.incidents.inc({ outcome, rule });
    metrics.silences.inc({ outcome: skip ? skip.rule : death.kind });
    relayOutbox();
  }

  /** Who is heard again was not dead: the record says so. */
  async #noteReturns(scopeId: string, lives: readonly ProcessLife[], { now }: Listening): Promise<void> {
    for (const life of lives) {
      const decided = this.#decided.get(life.instance);
      if (!decided?.death || lastHeard(life) - decided.at < this.#times.spreadMs) continue;
      if (decided.death.kind === "hung" && (await this.#isStillBlocked(scopeId, life, now))) continue;
      const { failures, thresholds } = this.#options.control.scope(scopeId);
      const group = failureOfDeath(decided.death);
      const reason = `process ${life.instance} was heard again at ${life.lastHeardAt}: it was suspended, stood still for a while, or could not be reached`;
      const occurrences = { ...occurrencesOfDeath(group, new Date(now)), eventId: `${life.instance} is back` };
      const chosen = await thresholds.read();
      await failures.decide(occurrences, (known) => skipDeath(group, known, chosen, { rule: "heard-again", reason }));
      this.#options.metrics.silences.inc({ outcome: "heard-again" });
      this.#decided.delete(life.instance);
      await this.#options.control.scope(scopeId).silentProcesses.forget(life.instance);
    }
  }

  async #isStillBlocked(scopeId: string, life: ProcessLife, now: number): Promise<boolean> {
    const events = this.#options.events.forScope(scopeId);
    const [beat] = await events.find({
      ...{ from: shifted(life.lastHeardAt, -lookBackMs), to: new Date(now + lookBackMs).toISOString() },
      ...{ instance: life.instance, types: ["heartbeat"], limit: 1 },
    });
    return beat !== undefined && blockedMs(beat) > 0;
  }

  async #remember(scopeId: string, lives: readonly ProcessLife[], death: SilentDeath | null): Promise<void> {
    const { silentProcesses } = this.#options.control.scope(scopeId);
    const now = this.#options.clock();
    await silentProcesses.note(
      lives.map(({ instance }) => instance),
      new Date(now),
    );
    await silentProcesses.forgetBefore(new Date(now - 2 * lookBackMs));
    for (const life of lives) this.#decided.set(life.instance, { at: lastHeard(life), death });
  }

  #forget(now: number): void {
    for (const [instance, { at }] of this.#decided) {
      if (now - at > lookBackMs) this.#decided.delete(instance);
    }
  }
}

const sharedConfidence: Readonly<Record<Extract<DeathKind, "host-lost" | "everything-silent">, number>> = {
  "host-lost": 0.7,
  "everything-silent": 0.6,
};

const unknownEnd: PossibleEnd = { kind: "killed", likelihood: 0.2, says: [] };

function likeliest(words: LastWords | undefined): PossibleEnd {
  return (words && assessEnd(words.process)[0]) ?? unknownEnd;
}

function shifted(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
