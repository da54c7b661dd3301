import { setTimeout as delay } from "node:timers/promises";

/** Resolves after `ms`, or at once when `signal` fires, which is no failure. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** A waiting time that doubles with each of `times`, the first being `minimumMs`. */
export function growing(minimumMs: number, maximumMs: number, times: number): number {
  return Math.min(maximumMs, minimumMs * 2 ** (times - 1));
}
