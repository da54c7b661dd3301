import { randomUUID } from "node:crypto";
import type { Batch } from "@whence/protocol";

export type FailureKind = "crash" | "handled";

const ends = {
  crash: { level: "critical", mechanism: { type: "uncaught_exception", handled: false } },
  handled: { level: "error", mechanism: { type: "express", handled: true } },
} as const;

/**
 * Returns what the client sends when a process dies of a null value, or when a request fails because of one after a
 * failed call: one failure, new to the service for each `service` name.
 */
export function failingBatch(kind: FailureKind, service: string): Batch {
  const now = new Date().toISOString();
  const message = "Cannot read properties of null (reading 'amount')";
  const last = kind === "crash" ? { status_code: 200 } : { status_code: 500 };
  const file = "/srv/orders/src/total.js";
  return {
    sdk: { name: "bench", version: "0.0.0" },
    service,
    env: "PROD",
    host: {
      name: "bench",
      pid: 1,
      runtime: { name: "node", version: process.versions.node },
      os: "linux",
      arch: "x64",
    },
    sent_at: now,
    instance: randomUUID(),
    events: [
      {
        id: randomUUID(),
        seq: 1,
        type: "exception",
        timestamp: now,
        message,
        ...ends[kind],
        exceptions: [
          {
            type: "TypeError",
            message,
            stack: `TypeError: ${message}\n    at totalOf (${file}:12:31)\n    at main (/srv/orders/src/main.js:40:3)`,
            frames: [
              {
                file,
                function: "totalOf",
                line: 12,
                column: 31,
                in_app: true,
                context: { start_line: 11, lines: ["function totalOf(order) {", "  return order.price.amount;", "}"] },
              },
              { file: "/srv/orders/src/main.js", function: "main", line: 40, column: 3, in_app: true },
            ],
          },
        ],
        breadcrumbs: Array.from({ length: 20 }, (_, index) => ({
          timestamp: now,
          category: "http",
          data: { method: "GET", url: `http://prices/v2/${index}`, duration_ms: 12.5, ...last },
        })),
      },
    ],
  };
}
