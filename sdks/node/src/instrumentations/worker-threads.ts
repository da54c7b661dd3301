import { errorMonitor } from "node:events";
import type { Worker } from "node:worker_threads";
import { listen } from "./channels.ts";
import type { Instrumentation } from "./instrumentation.ts";

/**
 * Records errors that end a worker thread, as seen from its parent. Without an `error` listener they end the parent as
 * well, and the uncaught-exception monitor reports them.
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
