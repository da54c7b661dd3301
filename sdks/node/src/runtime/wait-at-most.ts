import { nativeTimers } from "./native-timers.ts";

/** A promise that never settles. */
export const never: Promise<never> = new Promise<never>(() => undefined);

/** The longest timeout that Node accepts: with a longer one it warns and fires at once. */
const timerMsMax = 2 ** 31 - 1;

/** Waits for `promise`, at most `ms` milliseconds, and keeps the event loop alive meanwhile. */
export async function waitAtMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = nativeTimers.setTimeout(resolve, Math.min(ms, timerMsMax));
  });
  await Promise.race([promise, timeout]);
  nativeTimers.clearTimeout(timer);
}
