import { hasRoomForThread } from "../process/address-space.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { resolveName } from "../runtime/resolve-name.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { isAccepted } from "./batch-response.ts";
import { type FinalBatches, sendFinalBatches } from "./dying-process-worker.ts";

/** {@link FinalBatches} without what this file adds: memory that the threads share, and how long the new one lives. */
export type Delivery = Omit<FinalBatches, "state" | "answer" | "stays">;

export interface Delivered {
  /** Whether the service accepted each batch. */
  readonly taken: readonly boolean[];
  /** The answer to the last accepted batch; empty without one, or when it is too long. */
  readonly answer: string;
}

/** Any failure in it ends the wait. */
const workerCode = `
const { workerData } = require("node:worker_threads");
try {
  (${sendFinalBatches.toString()})(workerData, require, ${resolveName.toString()}, ${isAccepted.toString()});
} catch {
  Atomics.store(workerData.state, 0, 1);
  Atomics.notify(workerData.state, 0);
  if (workerData.stays) Atomics.wait(workerData.state, 0, 1);
}
`;

/** Before it, Node ends the process with SIGABRT when a thread that a dying thread started ends before that one. */
const endsThreadsInAnyOrderSince = 20;

/**
 * Sends from a process that won't run its event loop again: another thread sends while this one blocks, at most
 * `waitMs`.
 *
 * Throws, rather than waiting, when a thread can't be started, as in a deleted working folder or without memory.
 *
 * The thread gets none of the host's preloads, environment, and output streams, so that the program's behavior and
 * output don't change.
 */
export function deliverSync(delivery: Delivery, waitMs: number): Delivered {
  process.cwd();
  if (!hasRoomForThread()) throw new RangeError("no address space for a thread");
  const state = new Int32Array(new SharedArrayBuffer((2 + delivery.batches.length) * Int32Array.BYTES_PER_ELEMENT));
  const answer = new Uint8Array(new SharedArrayBuffer(sdkLimits.finalAnswerBytesMax));
  const { Worker, isMainThread }: typeof import("node:worker_threads") = loadBuiltin("node:worker_threads");
  const stays = !isMainThread && Number.parseInt(process.versions.node, 10) < endsThreadsInAnyOrderSince;
  const worker = new Worker(workerCode, {
    eval: true,
    workerData: { ...delivery, state, answer, stays },
    argv: [],
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
  });
  worker.unref();
  // Without a listener, the thread's failure would become the host's; the wait below ends by its timeout.
  worker.on("error", () => Atomics.notify(state, 0));
  Atomics.wait(state, 0, 0, waitMs);
  if (!stays) void worker.terminate();
  return {
    taken: delivery.batches.map((_batch, index) => Atomics.load(state, 2 + index) === 1),
    answer: Buffer.from(answer.slice(0, Atomics.load(state, 1))).toString(),
  };
}
