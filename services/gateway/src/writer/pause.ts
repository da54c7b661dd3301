import { setTimeout as delay } from "node:timers/promises";

/** Resolves after `ms` milliseconds, or at once when `signal` is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Returns a wait of `minimumMs`, doubled for each further one of `times`, at most `maximumMs`. */
export function growing(minimumMs: number, maximumMs: number, times: number): number {
  return Math.min(maximumMs, minimumMs * 2 ** (times - 1));
}
