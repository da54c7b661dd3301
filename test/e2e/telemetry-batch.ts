import { randomBytes, randomUUID } from "node:crypto";
import type { Batch, TelemetryEvent } from "@whence/protocol";
import { z } from "zod";

/** Returns a UUIDv7, as clients create them. */
export function eventId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  const random = randomBytes(10).toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

/** Returns an uncaught TypeError thrown in a function of the given name, which determines the failure. */
export function exceptionEvent(functionName: string, seq: number): TelemetryEvent {
  const file = "/app/src/render.js";
  const message = "Cannot read properties of undefined (reading 'total')";
  return {
    id: eventId(),
    seq,
    type: "exception",
    timestamp: new Date().toISOString(),
    level: "error",
    message,
    mechanism: { type: "uncaughtException", handled: false },
    exceptions: [
      {
        type: "TypeError",
        message,
        stack: `TypeError: ${message}\n    at ${functionName} (${file}:12:20)`,
        frames: [
          {
            file,
            function: functionName,
            line: 12,
            column: 20,
            in_app: true,
            context: { start_line: 11, lines: [`function ${functionName}(cart) {`, "  return cart.order.total;", "}"] },
          },
        ],
      },
    ],
  };
}

export function batchOf(events: readonly TelemetryEvent[], changes: Partial<Batch> = {}): Batch {
  return {
    sdk: { name: "test", version: "0.0.0" },
    service: "storefront",
    env: "PROD",
    host: { name: "h1", pid: 1, runtime: { name: "node", version: "26.0.0" }, os: "linux", arch: "x64" },
    sent_at: new Date().toISOString(),
    instance: randomUUID(),
    events: [...events],
    ...changes,
  };
}

const receiptSchema = z.object({ accepted: z.int() });

/** Sends a batch; returns true when it was acknowledged completely. A refused connection isn't an acknowledgment. */
export async function sendBatch(url: string, key: string, batch: Batch): Promise<boolean> {
  const answer = await fetch(`${url}/api/telemetry/events`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify(batch),
  }).catch(() => undefined);
  if (answer?.status !== 202) return false;
  const receipt = receiptSchema.safeParse(await answer.json().catch(() => undefined));
  return receipt.success && receipt.data.accepted === batch.events.length;
}
