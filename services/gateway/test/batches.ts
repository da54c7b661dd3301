import { randomUUID } from "node:crypto";
import type { Batch, TelemetryEvent } from "@whence/protocol";

/** A log record, of level error by default. */
export function logEvent(changes: Partial<TelemetryEvent> = {}): TelemetryEvent {
  return {
    id: randomUUID(),
    seq: 1,
    type: "log",
    timestamp: new Date().toISOString(),
    level: "error",
    message: "payment failed",
    mechanism: { type: "console", handled: true },
    ...changes,
  };
}

/** A TypeError thrown in a function of the given name. */
export function exceptionEvent(functionName: string, changes: Partial<TelemetryEvent> = {}): TelemetryEvent {
  const message = "Cannot read properties of null (reading 'amount')";
  return logEvent({
    type: "exception",
    message,
    mechanism: { type: "uncaughtException", handled: false },
    exceptions: [
      {
        type: "TypeError",
        message,
        stack: `TypeError: ${message}\n    at ${functionName} (/srv/total.js:12:31)`,
        frames: [{ file: "/srv/total.js", function: functionName, line: 12, column: 31, in_app: true }],
      },
    ],
    ...changes,
  });
}

export function batchOf(
  events: readonly unknown[],
  changes: Partial<Batch> = {},
): Omit<Batch, "events"> & { events: unknown[] } {
  return {
    sdk: { name: "test", version: "0.0.0" },
    service: "orders",
    env: "PROD",
    host: { name: "web-3", pid: 1, runtime: { name: "node", version: "24.0.0" }, os: "linux", arch: "x64" },
    sent_at: new Date().toISOString(),
    instance: randomUUID(),
    ...changes,
    events: [...events],
  };
}
