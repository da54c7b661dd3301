import { setTimeout as delay } from "node:timers/promises";

/** Returns the first value that is neither undefined nor false; fails after the timeout. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined | false>,
  deadlineMs = 100_000,
): Promise<Value> {
  const end = performance.now() + deadlineMs;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await delay(10);
  }
  throw new Error(`${what} did not come within ${deadlineMs} ms`);
}
