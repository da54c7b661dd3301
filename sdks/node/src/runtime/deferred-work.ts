import { elapsedMs } from "./native-timers.ts";
import { inNextTurn } from "./next-turn.ts";

/**
 * Splits work over turns of the event loop: the returned function makes later turns call `step`, for `turnMs` in each,
 * until it returns false. Doesn't keep the process alive. `step` must not throw.
 */
export function timeSliced(step: () => boolean, turnMs: () => number): () => void {
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

/** Returns a function that calls `run` in the next turn, unless a call is in progress. `run` must not reject. */
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
