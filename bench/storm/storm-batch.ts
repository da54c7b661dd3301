import { randomUUID } from "node:crypto";
import type { Batch, TelemetryEvent } from "@whence/protocol";

/** A process that repeatedly fails in every way. */
export class FailingProcess {
  readonly #instance = randomUUID();
  #seq = 0;

  /** Returns what its client sends after a flush interval: an event for each of `kinds`. */
  batch(kinds: readonly number[]): Batch {
    const now = new Date().toISOString();
    return {
      sdk: { name: "bench", version: "0.0.0" },
      service: "shop",
      env: "PROD",
      release: "1.0.0",
      host: { name: "bench", pid: 1, runtime: { name: "node", version: "26.0.0" }, os: "linux", arch: "x64" },
      sent_at: now,
      instance: this.#instance,
      events: kinds.map((kind) => this.#event(kind, now)),
    };
  }

  #event(kind: number, now: string): TelemetryEvent {
    this.#seq += 1;
    const name = functionName(kind);
    const file = `/srv/shop/src/${name}.js`;
    const message = `Cannot read properties of undefined (reading '${name}')`;
    const lines = [`async function ${name}(order) {`, `  return order.price.${name};`, "}"];
    return {
      id: randomUUID(),
      seq: this.#seq,
      type: "exception",
      timestamp: now,
      level: "error",
      message,
      mechanism: { type: "express", handled: true },
      exceptions: [
        {
          type: "TypeError",
          message,
          stack: `TypeError: ${message}\n    at ${name} (${file}:12:31)\n    at route (/srv/shop/src/routes.js:40:3)`,
          frames: [
            { file, function: name, line: 12, column: 31, in_app: true, context: { start_line: 11, lines } },
            { file: "/srv/shop/src/routes.js", function: "route", line: 40, column: 3, in_app: true },
          ],
        },
      ],
      breadcrumbs: Array.from({ length: 10 }, (_, index) => ({
        timestamp: now,
        category: "http",
        data: { method: "GET", url: `http://prices/v2/${index}`, status_code: 200, duration_ms: 12.5 },
      })),
      request: { method: "GET", path: `/orders/${this.#seq}`, route: "/orders/:id", headers: {} },
    };
  }
}

/** Returns a name of letters only: numbers in names don't distinguish failures. */
function functionName(kind: number): string {
  return `total${[...kind.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("")}`;
}
