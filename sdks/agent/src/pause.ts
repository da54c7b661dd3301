import { setTimeout as delay } from "node:timers/promises";

/** Waits; rejects with the signal's reason when it fires. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
