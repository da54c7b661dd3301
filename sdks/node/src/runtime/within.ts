import { ownTimers } from "./own-time.ts";

/** What never comes. */
export const never: Promise<never> = new Promise<never>(() => undefined);

/** The longest that a timer of Node's waits; told to wait longer, it warns and doesn't wait at all. */
const timerMsMax = 2 ** 31 - 1;

/** Waits for `promise`, `ms` at most, and keeps the event loop alive meanwhile. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = ownTimers.setTimeout(resolve, Math.min(ms, timerMsMax));
  });
  await Promise.race([promise, timeout]);
  ownTimers.clearTimeout(timer);
}
