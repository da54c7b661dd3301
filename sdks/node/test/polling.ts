// Tests stop the global timers; these go on.
import { setTimeout as delay } from "node:timers/promises";

const pollMs = 10;

/** Polls `probe` until it returns something, and returns that; fails after `deadlineMs`. */
export async function eventually<Value>(
  probe: () => Value | undefined | false | Promise<Value | undefined | false>,
  deadlineMs = 100_000,
): Promise<Value> {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > until) throw new Error(`not within ${deadlineMs} ms: ${probe.toString()}`);
    await delay(pollMs);
  }
}
