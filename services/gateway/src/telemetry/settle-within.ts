import { setTimeout } from "node:timers/promises";

/** Resolves with what a promise resolves with; after so many milliseconds, with `late`. Doesn't keep the process alive. */
export async function settleWithin<Value>(ms: number, promise: Promise<Value>, late: Value): Promise<Value> {
  const waited = new AbortController();
  const timeout = setTimeout(ms, late, { signal: waited.signal, ref: false });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    timeout.catch(() => undefined);
    waited.abort();
  }
}
