import { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from "node:timers";

// Captured before a test can install fake timers, which would never fire.
const now = performance.now.bind(performance);

/** Node's own timers, which a program's fake timers neither count nor run. */
export const nativeTimers = { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout };

/** Returns the milliseconds of a monotonic clock. */
export function elapsedMs(): number {
  return now();
}
