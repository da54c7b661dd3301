import type { ControlDb } from "@whence/storage";
import type { Logger } from "../../logger.ts";

/** How often reports are looked for whose next look is due. */
export const refinementIntervalMs = 1_000;
const looksMax = 100;
/** A look that isn't done by then is asked for again. */
const holdMs = 300_000;

export interface RefinementWatch {
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

export interface RefinementWatchOptions {
  readonly control: Pick<ControlDb, "refinements">;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly relayOutbox: () => void;
}

/** Asks every second for the refinement of reports that are due. Any number of processes may: each look is asked for once. */
export function startRefinementWatch({ control, clock, logger, relayOutbox }: RefinementWatchOptions): RefinementWatch {
  let running: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      const asked = await control.refinements.askDue(new Date(clock()), { max: looksMax, holdMs });
      if (asked > 0) relayOutbox();
    } catch (error) {
      logger.error({ err: error }, "reports to refine could not be looked for; they are looked for again");
    }
  }

  function start(): void {
    running ??= look().finally(() => {
      running = undefined;
    });
  }

  start();
  const looking = setInterval(start, refinementIntervalMs).unref();
  return {
    async stop() {
      clearInterval(looking);
      await running;
    },
  };
}
