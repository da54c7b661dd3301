import type { Instrumentation } from "./instrumentation.ts";

/**
 * Errors that nobody caught. The monitor event tells of them without a say in what happens next, so that the program
 * dies, or lives, as it would have. With Node's default an unhandled rejection comes this way, too.
 */
export const uncaughtException: Instrumentation = {
  name: "uncaught-exception",
  start(recorder) {
    const observe = recorder.guard((error: unknown, origin: unknown) => {
      const type = origin === "unhandledRejection" ? "unhandledRejection" : "uncaughtException";
      recorder.captureUncaught(error, type, hostHandlesIt());
    }, undefined);
    // First: another monitor may exit.
    process.prependListener("uncaughtExceptionMonitor", observe);
    return () => {
      process.off("uncaughtExceptionMonitor", observe);
    };
  },
};

/** Whether the program has something to say before it dies of an error, and so may live on. */
function hostHandlesIt(): boolean {
  return process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback();
}
