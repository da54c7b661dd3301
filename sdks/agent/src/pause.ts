import { setTimeout as delay } from "node:timers/promises";

/** Waits for `ms` milliseconds; rejects with the signal's reason when it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
