import { randomBytes, randomUUID } from "node:crypto";
import type { TelemetryEvent } from "@whence/protocol";

export const eventsPerBatch = 50;
const eventBytes = 1_500;
const idPlace = "00000000-0000-4000-8000-000000000000";
const words =
  "order cart price stock user session invoice refund ledger mailer router worker queue cache token webhook".split(" ");
const word = (index: number): string => words[index % words.length] ?? "";

/**
 * Creates batches as a client sends them, of 50 exceptions of 1.5 kB: each event has its own id; the rest is the same.
 */
export class BatchMaker {
  readonly #template = Buffer.from(template());
  readonly #places = placesIn(this.#template);

  /** Returns a batch as JSON, and the ids in it. */
  next(): { readonly body: Buffer; readonly ids: readonly string[] } {
    const body = Buffer.from(this.#template);
    const ids = this.#places.map((place) => {
      const id = randomUUID();
      body.write(id, place, "latin1");
      return id;
    });
    return { body, ids };
  }
}

function placesIn(text: Buffer): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(idPlace); at >= 0; at = text.indexOf(idPlace, at + 1)) places.push(at);
  return places;
}

function template(): string {
  return JSON.stringify({
    sdk: { name: "bench", version: "0.0.0" },
    service: "checkout-api",
    env: "PROD",
    release: "2026.11.3+4f1c2a9",
    host: { name: "web-3", pid: 1, runtime: { name: "node", version: "26.10.0" }, os: "linux", arch: "x64" },
    sent_at: new Date().toISOString(),
    instance: "bench",
    events: Array.from({ length: eventsPerBatch }, (_, index) => exceptionEvent(index)),
  });
}

function exceptionEvent(number: number): TelemetryEvent {
  const timestamp = new Date().toISOString();
  const message = "Cannot read properties of undefined (reading 'total')";
  const frames = [0, 1, 2, 3].map((k) => ({
    file: `/srv/app/dist/${word(number * 7 + k * 3)}/${word(number * 5 + k)}.js`,
    function: `${word(number * 3 + k)}.${word(number + k * 5)}`,
    line: 1 + ((number * 131 + k * 977) % 2_000),
    column: 1 + ((number * 17 + k * 31) % 90),
    in_app: k < 3,
  }));
  const event: TelemetryEvent = {
    ...{ id: idPlace, seq: number + 1, type: "exception", timestamp, level: "error", message },
    mechanism: { type: "uncaughtException", handled: false },
    exceptions: [{ type: "TypeError", message, stack: "", frames }],
    breadcrumbs: [0, 1].map((k) => ({
      ...{ timestamp, category: "http" },
      data: { method: "GET", url: `http://pricing.internal/price/${k}`, status_code: 200, duration_ms: 12 },
    })),
    request: { method: "GET", path: `/orders/ord_${number}`, headers: { host: "shop.example", accept: "*/*" } },
    trace: { trace_id: randomBytes(16).toString("hex"), span_id: randomBytes(8).toString("hex") },
  };
  const missing = eventBytes - Buffer.byteLength(JSON.stringify(event)) - '"attributes":{"context":""},'.length;
  const context = randomBytes(Math.max(0, missing)).toString("base64").slice(0, Math.max(0, missing));
  return { ...event, attributes: { context } };
}
