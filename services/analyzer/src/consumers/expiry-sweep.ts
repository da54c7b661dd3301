import type { ControlDb, EventStore } from "@whence/storage";
import { eraseTelemetry } from "../erasure.ts";
import type { Logger } from "../logger.ts";

/** How often expired data is looked for. */
export const sweepIntervalMs = 600_000;
/** Expired keys and agents are kept for a day, so that requests get "expired" instead of "unknown". */
export const keptAfterExpiryMs = 86_400_000;
/** By then, telemetry that was queued when an erasure was requested has been stored, and the last pass removes it. */
export const erasureSettledAfterMs = 3_600_000;
/** How many are removed between two checks for a stop. */
const stepMax = 20;

export interface ExpirySweepOptions {
  readonly control: Pick<ControlDb, "sweep" | "expireInputs" | "erasures" | "reclaim">;
  readonly events: Pick<EventStore, "forScope">;
  readonly clock: () => number;
  readonly logger: Logger;
  /** The default retention of inputs of analyses. */
  readonly retentionDays: number;
}

export interface ExpirySweep {
  /** Resolves when no sweep is running; the next one removes the rest. */
  stop(): Promise<void>;
}

/**
 * Removes expired data: agents that weren't claimed in time with everything they own, ended sessions, inputs of analyses past
 * their retention, and telemetry that arrived after its service or organization was erased. Runs at once, then every few
 * minutes; any number of processes may run it on one database.
 */
export function startExpirySweep(options: ExpirySweepOptions): ExpirySweep {
  const { control, clock, logger, retentionDays } = options;
  let stopped = false;
  let running: Promise<void> | undefined;
  const whole = async (step: () => Promise<number>): Promise<void> => {
    let removed = stepMax;
    while (removed === stepMax && !stopped) removed = await step();
  };

  async function sweep(): Promise<void> {
    try {
      await whole(() => control.sweep(new Date(clock() - keptAfterExpiryMs), stepMax));
      await whole(() => control.expireInputs({ now: new Date(clock()), retentionDays, max: stepMax }));
      await settleErasures(options);
      await control.reclaim();
    } catch (error) {
      logger.error({ err: error }, "could not remove expired data; will retry in a few minutes");
    }
  }

  function start(): void {
    running ??= sweep().finally(() => {
      running = undefined;
    });
  }

  start();
  const sweeping = setInterval(start, sweepIntervalMs).unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(sweeping);
      await running;
    },
  };
}

async function settleErasures({ control, events, clock }: ExpirySweepOptions): Promise<void> {
  for (const erasure of await control.erasures.pending()) {
    await eraseTelemetry({ events }, erasure);
    if (clock() - Date.parse(erasure.requestedAt) >= erasureSettledAfterMs) await control.erasures.finish(erasure);
  }
}
