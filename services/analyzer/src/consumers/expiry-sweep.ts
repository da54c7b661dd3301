import type { ControlDb } from "@whence/storage";
import type { Logger } from "../logger.ts";

/** How often somebody looks for what expired. */
export const sweepIntervalMs = 600_000;
/** What expired is kept for a day: its owner is told that it expired, and not that it is unknown. */
export const keptAfterExpiryMs = 86_400_000;
/** Removed between two looks at whether to stop. */
const stepMax = 20;

export interface ExpirySweep {
  /** Resolves when nothing is under way; what is left is the next one's. */
  stop(): Promise<void>;
}

/**
 * Removes what strangers can leave behind and nobody misses: agents that were not claimed in time, with all they own, and
 * sessions that ended. At once, then every few minutes; any number of processes may do so on one database.
 */
export function startExpirySweep(control: Pick<ControlDb, "sweep">, clock: () => number, logger: Logger): ExpirySweep {
  let stopped = false;
  let running: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    try {
      let removed = stepMax;
      while (removed === stepMax && !stopped) {
        removed = await control.sweep(new Date(clock() - keptAfterExpiryMs), stepMax);
      }
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
