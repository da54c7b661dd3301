import { dayMs, hourMs, promptsKeptDays, releaseNames } from "@whence/protocol";
import type {
  ErasureStore,
  EventStore,
  FailureScope,
  ModelStore,
  ReleaseScope,
  ReleaseStore,
  Scoped,
  ServiceRelease,
  SourceScope,
  SourceStore,
  Upkeep,
} from "@whence/storage";
import { eraseTelemetry } from "../erasure.ts";
import type { Logger } from "../logger.ts";
import { type Rounds, startRounds } from "../rounds.ts";

/** How often to look for expired data. */
export const sweepIntervalMs = 600_000;
/** Expired keys and agents are kept for a day, so that requests get "expired" instead of "unknown". */
export const keptAfterExpiryMs = dayMs;
/** By then, telemetry that was queued when an erasure was requested has been stored, and the last pass removes it. */
export const erasureSettledAfterMs = hourMs;
/** An upload takes less time between its contents and the list of its files. */
export const unusedSourcesKeptMs = dayMs;
/** The number removed between two checks for a stop. */
const stepMax = 20;

export interface ExpirySweepOptions {
  readonly control: Upkeep &
    ErasureStore &
    SourceStore &
    ReleaseStore &
    ModelStore &
    Scoped<SourceScope & ReleaseScope & FailureScope>;
  readonly events: Pick<EventStore, "forScope">;
  readonly clock: () => number;
  readonly logger: Logger;
  /** The default retention of inputs of analyses, and how long sources and reports of a release are kept after it last ran. */
  readonly retentionDays: number;
}

/**
 * Removes expired data: agents that weren't claimed in time with everything they own, ended sessions, inputs of
 * analyses past their retention, prompts of language models, sources and reports of releases that no longer run, and telemetry that arrived after
 * its service or organization was erased. Runs at once, then every few minutes; any number of processes may run it on
 * one database.
 */
export function startExpirySweep(options: ExpirySweepOptions): Rounds {
  const { control, clock, logger, retentionDays } = options;
  return startRounds({
    intervalMs: sweepIntervalMs,
    logger,
    failure: "could not remove expired data; will retry in a few minutes",
    async round(isStopped) {
      const whole = async (step: () => Promise<number>): Promise<void> => {
        let removed = stepMax;
        while (removed === stepMax && !isStopped()) removed = await step();
      };
      await whole(() => control.sweep(new Date(clock() - keptAfterExpiryMs), stepMax));
      await whole(() => control.expireInputs({ now: new Date(clock()), retentionDays, max: stepMax }));
      await whole(() => control.modelPrompts.expire(new Date(clock() - promptsKeptDays * dayMs), stepMax));
      await removeSilentReleases(options);
      await settleErasures(options);
      await control.reclaim();
    },
  });
}

/** Removes the sources and reports of releases that no longer run, and texts that no release has. */
async function removeSilentReleases(options: ExpirySweepOptions): Promise<void> {
  const { control, clock, retentionDays } = options;
  const silentSince = new Date(clock() - retentionDays * dayMs);
  const uploaded = await control.sourceBundles.uploadedBefore(silentSince);
  for (const { scopeId, service, release } of await silentAmong(uploaded, silentSince, options)) {
    await control.scope(scopeId).sources.remove(service, release);
  }
  await control.sourceBundles.removeUnused(new Date(clock() - unusedSourcesKeptMs));
  const live = await control.reportedReleases.liveBefore(silentSince);
  for (const { scopeId, service, release } of await silentAmong(live, silentSince, options)) {
    await control.scope(scopeId).releases.remove(service, release);
  }
}

/** Returns the releases that no process has reported for as long as telemetry is kept. */
async function silentAmong(
  old: readonly ServiceRelease[],
  silentSince: Date,
  { events, clock }: ExpirySweepOptions,
): Promise<readonly ServiceRelease[]> {
  const span = [silentSince.toISOString(), new Date(clock()).toISOString()] as const;
  const silent: ServiceRelease[] = [];
  const ofServices = Map.groupBy(old, ({ scopeId, service }) => JSON.stringify([scopeId, service])).values();
  for (const releases of ofServices) {
    const [first] = releases;
    if (!first) continue;
    const heard = await events.forScope(first.scopeId).firstReleases(first.service, ...span);
    const names = new Set(heard.flatMap((one) => releaseNames(one.release)));
    silent.push(...releases.filter(({ release }) => !names.has(release)));
  }
  return silent;
}

async function settleErasures({ control, events, clock }: ExpirySweepOptions): Promise<void> {
  for (const erasure of await control.erasures.pending()) {
    await eraseTelemetry({ events }, erasure);
    if (clock() - Date.parse(erasure.requestedAt) >= erasureSettledAfterMs) await control.erasures.finish(erasure);
  }
}
