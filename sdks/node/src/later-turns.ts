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
    setImmediate(work).unref();
  };
  return start;
}
