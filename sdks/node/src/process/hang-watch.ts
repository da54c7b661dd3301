import { isDebugged } from "../runtime/is-debugged.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { resolveName } from "../runtime/resolve-name.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { hasRoomForThread } from "./address-space.ts";
import { type HangWatchOrder, watchForHangs } from "./hang-watch-worker.ts";
import { readMainThreadStack } from "./main-thread-stack.ts";

const workerCode = `
const { workerData } = require("node:worker_threads");
(${watchForHangs.toString()})(workerData, require, ${resolveName.toString()}, ${readMainThreadStack.toString()});
`;

/** The watching thread's heap, which holds a batch of one event. */
const threadMemoryMb = 16;

/**
 * A thread that detects when the main thread is blocked, and reports it. Started after the first delivery, so a
 * short-lived process pays nothing. It isn't started in a process under a debugger, which is paused on purpose; in one
 * that listens for new threads, which would see this one; or in one whose address space has no room for it.
 */
export class HangWatch {
  readonly #turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #stop: (() => void) | undefined;

  /** Called when the event loop has turned. */
  turned(): void {
    Atomics.add(this.#turns, 0, 1);
  }

  get isWatching(): boolean {
    return this.#stop !== undefined;
  }

  start(order: Pick<HangWatchOrder, "url" | "headers" | "header">): void {
    const { Worker, isMainThread }: typeof import("node:worker_threads") = loadBuiltin("node:worker_threads");
    this.#stop = () => undefined;
    if (!isMainThread || isDebugged() || process.listenerCount("worker") > 0 || !hasRoomForThread()) return;
    const workerData: HangWatchOrder = {
      ...order,
      turns: this.#turns,
      serverTimeoutMs: sdkLimits.nameServerTimeoutMs,
      lookIntervalMs: sdkLimits.hangLookIntervalMs,
      firstAfterMs: sdkLimits.hangFirstAfterMs,
      againAfterMs: sdkLimits.hangAgainAfterMs,
      framesMax: sdkLimits.hangFramesMax,
    };
    // Without the program's preloads, environment, and output, like the thread of `dying-process.ts`.
    const worker = new Worker(workerCode, {
      eval: true,
      workerData,
      argv: [],
      execArgv: [],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
    });
    worker.unref();
    worker.on("error", () => undefined);
    this.#stop = () => void worker.terminate();
  }

  stop(): void {
    this.#stop?.();
  }
}
