import { inNextTurn } from "./next-turn.ts";
import { elapsedMs } from "./own-time.ts";

/**
 * Work that may wait until the program has gone on: what this returns has `step` called in the turns that follow, for
 * `turnMs` in each, until it returns false. Keeps no process alive. `step` must not throw.
 */
export function inLaterTurns(step: () => boolean, turnMs: () => number): () => void {
  let isDue = false;
  const work = (): void => {
    isDue = false;
    const turnEndsAt = elapsedMs() + turnMs();
    while (step()) {
      if (elapsedMs() < turnEndsAt) continue;
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
