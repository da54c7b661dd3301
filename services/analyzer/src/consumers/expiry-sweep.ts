import type { ControlDb, EventStore } from "@whence/storage";
import { eraseTelemetry } from "../erasure.ts";
import type { Logger } from "../logger.ts";

/** How often somebody looks for what expired. */
export const sweepIntervalMs = 600_000;
/** What expired is kept for a day: its owner is told that it expired, and not that it is unknown. */
export const keptAfterExpiryMs = 86_400_000;
/** By then what was in the queue when an erasure was asked for has been stored, and goes with the last pass. */
export const erasureSettledAfterMs = 3_600_000;
/** Removed between two looks at whether to stop. */
const stepMax = 20;

export interface ExpirySweepOptions {
  readonly control: Pick<ControlDb, "sweep" | "expireInputs" | "erasures" | "reclaim">;
  readonly events: Pick<EventStore, "forScope">;
  readonly clock: () => number;
  readonly logger: Logger;
  /** How long inputs of analyses are kept where no owner decided otherwise. */
  readonly retentionDays: number;
}

export interface ExpirySweep {
  /** Resolves when nothing is under way; what is left is the next one's. */
  stop(): Promise<void>;
}

/**
 * Removes what strangers can leave behind and no one misses: agents that were not claimed in time, with all they own,
 * sessions that ended, inputs of analyses that are older than they are kept, and telemetry that came after its service or
 * organization was erased. At once, then every few minutes; any number of processes may do so on one database.
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
      logger.error({ err: error }, "what expired could not be removed; it is tried again in some minutes");
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
