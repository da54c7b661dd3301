import type { Instrumentation } from "./instrumentation.ts";

/**
 * Records uncaught errors. Listening to the monitor event doesn't affect what happens next: the program dies, or
 * survives, as it would without the client. By default, Node reports unhandled rejections here as well.
 */
export const uncaughtException: Instrumentation = {
  name: "uncaught-exception",
  start(recorder) {
    const observe = recorder.guard((error: unknown, origin: unknown) => {
      const type = origin === "unhandledRejection" ? "unhandledRejection" : "uncaughtException";
      recorder.captureUncaught(error, type, hostHandlesIt());
    }, undefined);
    // Added first, since another monitor may exit.
    process.prependListener("uncaughtExceptionMonitor", observe);
    return () => {
      process.off("uncaughtExceptionMonitor", observe);
    };
  },
};

/** Whether the program handles uncaught errors and so may survive. */
function hostHandlesIt(): boolean {
  return process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback();
}
