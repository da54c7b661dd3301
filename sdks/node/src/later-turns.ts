import { inNextTurn } from "./next-turn.ts";
import { sdkLimits } from "./sdk-limits.ts";

/**
 * Work that may wait until the program has gone on: what this returns has `step` called in the turns that follow, for
 * {@link sdkLimits.packingTurnMs} in each, until it returns false. Keeps no process alive. `step` must not throw.
 */
export function inLaterTurns(step: () => boolean): () => void {
  let isDue = false;
  const work = (): void => {
    isDue = false;
    const turnEndsAt = performance.now() + sdkLimits.packingTurnMs;
    while (step()) {
      if (performance.now() < turnEndsAt) continue;
      start();
      return;
    }
  };
  const start = (): void => {
    if (isDue) return;
    isDue = true;
    inNextTurn(work);
  };
  return start;
}

/** What this returns has `run` called in the next turn, unless it is still at it. `run` must not reject. */
export function oneAtATime(run: () => Promise<void>): () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    inNextTurn(() => {
      void run().then(() => {
        isUnderWay = false;
      });
    });
  };
}
