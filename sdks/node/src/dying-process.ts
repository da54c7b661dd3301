import { type LastWords, speakLastWords } from "./dying-process-worker.ts";
import { loadWhenNeeded } from "./load-when-needed.ts";
import { resolveName } from "./resolve-name.ts";
import { sdkLimits } from "./sdk-limits.ts";

/** {@link LastWords} without what this file adds. */
export type Delivery = Omit<LastWords, "state">;

/** Whatever fails in it ends the wait. */
const workerCode = `
const { workerData } = require("node:worker_threads");
try {
  (${speakLastWords.toString()})(workerData, require, ${resolveName.toString()});
} catch {
  for (const index of [0, 2]) {
    Atomics.store(workerData.state, index, 1);
    Atomics.notify(workerData.state, index);
  }
}
`;

/**
 * Sends from a process that will not run its event loop again: another thread does it while this one stands still, for
 * `waitMs` at most. Only where the machine is so busy that the thread has not come to send by then is it waited for, for
 * {@link sdkLimits.starvedWaitMs} at most. Returns how many batches the service took in that time.
 *
 * The thread is given neither the host's preloads nor its environment, and none of its output streams, so that the
 * program prints and does what it would have.
 */
export function deliverNow(delivery: Delivery, waitMs: number): number {
  const state = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const { Worker }: typeof import("node:worker_threads") = loadWhenNeeded("node:worker_threads");
  const worker = new Worker(workerCode, {
    eval: true,
    workerData: { ...delivery, state },
    argv: [],
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
  });
  worker.unref();
  // Without a listener the thread's own failure would become the host's; the wait below ends by its time.
  worker.on("error", () => undefined);
  waitFor(state, waitMs);
  void worker.terminate();
  return Atomics.load(state, 1);
}

/** On a machine that is not busy the thread has sent after 60 ms, and only the service is waited for. */
function waitFor(state: Int32Array, waitMs: number): void {
  const startedAt = performance.now();
  const isSendingWithin = (ms: number): boolean => Atomics.wait(state, 2, 0, ms) !== "timed-out";
  if (isSendingWithin(waitMs / 2)) Atomics.wait(state, 0, 0, waitMs - (performance.now() - startedAt));
  else if (isSendingWithin(sdkLimits.starvedWaitMs)) Atomics.wait(state, 0, 0, waitMs);
}
