import timers from "node:timers";
import { sdkLimits } from "./sdk-limits.ts";

/** Node's own, whatever a test has put in its place meanwhile: what waits for a turn would wait for ever. */
const { setImmediate } = timers;

/** Lets whatever else the program has to do go first. */
export async function nextTurn(): Promise<void> {
  await new Promise((continued) => {
    setImmediate(continued);
  });
}

/** Calls `run` once the program has gone on, unless it ends before. */
export function inNextTurn(run: () => void): void {
  setImmediate(run).unref();
}

/** Calls `step` until it returns false: for {@link sdkLimits.packingTurnMs}, then the program has its turn. */
export async function inTurns(step: () => boolean, elapsed: () => number): Promise<void> {
  let turnEndsAt = elapsed() + sdkLimits.packingTurnMs;
  while (step()) {
    if (elapsed() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = elapsed() + sdkLimits.packingTurnMs;
  }
}
