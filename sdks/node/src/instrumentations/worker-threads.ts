import { errorMonitor } from "node:events";
import type { Worker } from "node:worker_threads";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/**
 * Errors that end a thread, seen from the thread that started it. Without a listener for them they end that one, too,
 * and the uncaught-exception monitor tells of them.
 */
export const workerThreads: Instrumentation = {
  name: "worker-threads",
  start(recorder) {
    const observe = recorder.guard((worker: Worker, error: unknown) => {
      if (worker.listenerCount("error") > 0) recorder.capture.threadError(error);
    }, undefined);
    return listen("worker_threads", (message) => {
      const worker: Worker | undefined = Reflect.get(message, "worker");
      worker?.on(errorMonitor, (error: unknown) => observe(worker, error));
    });
  },
};
