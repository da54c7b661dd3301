import { type LastWords, speakLastWords } from "./dying-process-worker.ts";
import { loadWhenNeeded } from "./load-when-needed.ts";
import { resolveName } from "./resolve-name.ts";

/** {@link LastWords} without what this file adds. */
export type Delivery = Omit<LastWords, "state">;

/** Whatever fails in it ends the wait. */
const workerCode = `
const { workerData } = require("node:worker_threads");
try {
  (${speakLastWords.toString()})(workerData, require, ${resolveName.toString()});
} catch {
  Atomics.store(workerData.state, 0, 1);
  Atomics.notify(workerData.state, 0);
}
`;

/**
 * Sends from a process that will not run its event loop again: another thread does it while this one stands still, for
 * `waitMs` at most. Returns how many batches the service took in that time.
 *
 * The thread is given neither the host's preloads nor its environment, and none of its output streams, so that the
 * program prints and does what it would have.
 */
export function deliverNow(delivery: Delivery, waitMs: number): number {
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
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
  worker.on("error", () => Atomics.notify(state, 0));
  Atomics.wait(state, 0, 0, waitMs);
  void worker.terminate();
  return Atomics.load(state, 1);
}
