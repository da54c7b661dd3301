import { randomUUID } from "node:crypto";
import type { StoredEvent } from "@whence/storage";

/** A crash of `orders` that came just now, by default. */
export function storedEvent(scopeId: string, changes: Partial<StoredEvent> = {}): StoredEvent {
  const at = new Date().toISOString();
  return {
    scopeId,
    event: {
      ...{ id: randomUUID(), seq: 1, type: "exception", timestamp: at, level: "error", message: "a \u2028 line" },
      mechanism: { type: "uncaughtException", handled: false },
      exceptions: [{ type: "Error", message: "boom", stack: "Error: boom\n    at work (/app/src/work.js:3:9)" }],
      attributes: { nested: { deep: [1, "two", null, true] } },
    },
    ...{ service: "orders", env: "PROD", release: "1.0", instance: "i1", fingerprint: "v1:1111111111111111" },
    host: { name: "h1", pid: 1, runtime: { name: "node", version: "26.0.0" }, os: "linux", arch: "x64" },
    sdk: { name: "@whence/node", version: "0.0.0" },
    receivedAt: at,
    ...changes,
  };
}
