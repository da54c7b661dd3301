import * as sdkLimits from "../sdk-limits.ts";
import { nativeTimers } from "./native-timers.ts";

/** Lets whatever else the program has to do go first. */
export async function nextTurn(): Promise<void> {
  await new Promise((continued) => {
    nativeTimers.setImmediate(continued);
  });
}

/** Calls `run` once the program has gone on, unless it ends before. */
export function inNextTurn(run: () => void): void {
  nativeTimers.setImmediate(run).unref();
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
