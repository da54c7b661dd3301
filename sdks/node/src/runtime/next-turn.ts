import * as sdkLimits from "../sdk-limits.ts";
import { nativeTimers } from "./native-timers.ts";

/** Resolves in the next turn of the event loop, after the program's pending work. */
export async function nextTurn(): Promise<void> {
  await new Promise((continued) => {
    nativeTimers.setImmediate(continued);
  });
}

/** Calls `run` in the next turn, unless the program ends before. */
export function inNextTurn(run: () => void): void {
  nativeTimers.setImmediate(run).unref();
}

/** Calls `step` until it returns false, with a break for the program after each {@link sdkLimits.packingTurnMs}. */
export async function inTurns(step: () => boolean, elapsed: () => number): Promise<void> {
  let turnEndsAt = elapsed() + sdkLimits.packingTurnMs;
  while (step()) {
    if (elapsed() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = elapsed() + sdkLimits.packingTurnMs;
  }
}
