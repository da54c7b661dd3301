import { minuteMs } from "@whence/protocol";
import type { RefinementStore } from "@whence/storage";
import type { Logger } from "../../logger.ts";
import { type Rounds, startRounds } from "../../rounds.ts";

/** How often to look for reports that are due. Reports of one look start together and wait for each other. */
const refinementIntervalMs = 250;
const looksMax = 100;
/** A look that hasn't finished by then is requested again. Waiting in the queue and asking a model fit in it. */
export const refinementHoldMs = 10 * minuteMs;

export interface RefinementWatchOptions {
  readonly control: RefinementStore;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly relayOutbox: () => void;
}

/** Requests the refinement of due reports several times a second. Any number of processes may run it: each look is requested once. */
export function startRefinementWatch({ control, clock, logger, relayOutbox }: RefinementWatchOptions): Rounds {
  return startRounds({
    intervalMs: refinementIntervalMs,
    logger,
    failure: "could not look for reports to refine; will retry",
    async round() {
      const asked = await control.refinements.askDue(new Date(clock()), { max: looksMax, holdMs: refinementHoldMs });
      if (asked > 0) relayOutbox();
    },
  });
}
