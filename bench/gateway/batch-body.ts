import { hash, randomBytes, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Batch, TelemetryEvent } from "@whence/protocol";
import { binaryTraces, type TestSpan } from "../../services/gateway/test/otlp/spans.ts";
import type { Format, LoadOrder } from "./figures.ts";

/** Approximate JSON size of one event. */
const eventBytes = 1_500;
const words = "order cart price stock user session invoice refund ledger mailer router worker queue cache".split(" ");
const word = (index: number): string => words[index % words.length] ?? "";
/** A placeholder for the instance, or an envelope's event, which makes each body a different one for the queue. */
const instancePlace = "0".repeat(32);

/** Creates distinct bodies of one size at almost no cost. */
export interface BodyMaker {
  /** The unpacked size as JSON. */
  readonly bytes: number;
  /** In parts, since copying them into one would cost as much as sending them. */
  next(): readonly [Buffer, Buffer];
}

/** `failingPercent` of the spans of OpenTelemetry have an exception. */
export function bodyMaker({ events, encoding, format, failingPercent }: LoadOrder): BodyMaker {
  // Gzip streams may be concatenated in a body, so the constant part is compressed once.
  const pack = (part: Buffer): Buffer => (encoding === "gzip" ? gzipSync(part, { level: 6 }) : part);
  const parts = (body: Buffer) => {
    const place = body.indexOf(instancePlace);
    return { before: body.subarray(0, place), rest: pack(body.subarray(place + instancePlace.length)) };
  };
  const body = bodyOf[format](events, failingPercent);
  const usual = parts(body);
  // Where fewer than one in each request fail, every so many requests have one.
  const rarelyEvery = Math.round(100 / (events * failingPercent));
  const healthy = rarelyEvery > 1 ? parts(bodyOf[format](events, 0)) : usual;
  const salt = randomUUID().slice(0, 8);
  let made = 0;
  return {
    bytes: body.length,
    next() {
      made += 1;
      const id = Buffer.from(`${salt}${idMiddle}${String(made).padStart(12, "0")}`);
      const { before, rest } = made % rarelyEvery === 0 ? usual : healthy;
      return [pack(Buffer.concat([before, id])), rest];
    },
  };
}

/** Returns a body of a format, which has the placeholder once. */
const bodyOf: Readonly<Record<Format, (events: number, failingPercent: number) => Buffer>> = {
  whence: (events) => Buffer.from(JSON.stringify(batch(events))),
  sentry: () => Buffer.from(envelope()),
  otlp: spans,
};

/** What makes the placeholder's value a UUID without dashes. */
const idMiddle = "000040008000";

/** The first event, as Sentry's client for Node.js would send it. */
function envelope(): string {
  const { exceptions = [], breadcrumbs, request, attributes, message, ...rest } = event(0);
  const sent = {
    ...{ platform: "node", level: rest.level, timestamp: rest.timestamp, release: "2026.11.3", server_name: "web-3" },
    exception: {
      values: exceptions.map(({ type, frames = [] }) => ({
        ...{ type, value: message, mechanism: rest.mechanism },
        stacktrace: {
          frames: frames.toReversed().map(({ file, function: name, line, column, in_app }) => ({
            ...{ filename: file, function: name, lineno: line, colno: column, in_app },
          })),
        },
      })),
    },
    ...{ breadcrumbs, extra: attributes },
    request: { url: `https://shop.example${request?.path}`, method: request?.method, headers: request?.headers },
  };
  return `{"event_id":"${instancePlace}"}\n{"type":"event"}\n${JSON.stringify(sent)}\n`;
}

/**
 * Spans of a server, evenly spread those with an event as their exception, the others without one. The placeholder is
 * the service, by which errors differ.
 */
function spans(events: number, failingPercent: number): Buffer {
  const resource = {
    "service.name": instancePlace,
    "service.version": "2026.11.3",
    "telemetry.sdk.language": "nodejs",
  };
  return binaryTraces(
    resource,
    Array.from({ length: events }, (_, index) => span(index, isFailing(index, failingPercent))),
  );
}

/** Of few spans, the first one fails if any does. */
function isFailing(index: number, percent: number): boolean {
  return Math.ceil((index * percent) / 100) < Math.ceil(((index + 1) * percent) / 100);
}

function span(index: number, failing: boolean): TestSpan {
  const { exceptions: [thrown] = [], request, attributes = {}, message } = event(index);
  const calls = (thrown?.frames ?? []).map(
    (frame) => `    at ${frame.function} (${frame.file}:${frame.line}:${frame.column})`,
  );
  const id = String(index).padStart(16, "1");
  return {
    // As random as those of clients, by which traces are sampled.
    ...{ traceId: hash("sha256", id).slice(0, 32), spanId: id, name: "GET /orders/:id", kind: 2 },
    status: failing ? 2 : 0,
    attributes: {
      ...{ "http.request.method": "GET", "url.path": request?.path ?? "", "http.route": "/orders/:id" },
      ...{ region: String(attributes.region), tenant: String(attributes.tenant), context: String(attributes.context) },
    },
    ...(failing && {
      exceptions: [
        {
          ...{ "exception.type": "TypeError", "exception.message": `${message} ${index}` },
          "exception.stacktrace": [`TypeError: ${message}`, ...calls].join("\n"),
        },
      ],
    }),
  };
}

function batch(events: number): Batch {
  return {
    instance: instancePlace,
    sdk: { name: "bench", version: "1.0.0" },
    service: "checkout-api",
    env: "PROD",
    release: "2026.11.3+4f1c2a9",
    host: { name: "web-3", pid: 1, runtime: { name: "node", version: "26.0.0" }, os: "linux", arch: "x64" },
    sent_at: new Date().toISOString(),
    events: Array.from({ length: events }, (_, index) => event(index)),
  };
}

/**
 * Returns an error of a web service: a stack of four calls, two requests before it, and headers that the client
 * redacted.
 */
function event(index: number): TelemetryEvent {
  const message = "Cannot read properties of undefined (reading 'total')";
  const frames = [0, 1, 2, 3].map((call) => ({
    file: `/srv/app/dist/${word(7 * index + 3 * call)}/${word(5 * index + call)}.js`,
    function: `${word(3 * index + call)}.${word(index + 5 * call)}`,
    line: 1 + ((131 * index + 977 * call) % 2_000),
    column: 1 + ((17 * index + 31 * call) % 90),
    in_app: call < 3,
  }));
  const bare: TelemetryEvent = {
    id: randomUUID(),
    seq: index + 1,
    type: "exception",
    timestamp: new Date().toISOString(),
    level: "error",
    message,
    mechanism: { type: "uncaughtException", handled: false },
    exceptions: [{ type: "TypeError", message, stack: "", frames }],
    breadcrumbs: [0, 1].map((request) => ({
      timestamp: new Date().toISOString(),
      category: "http",
      data: { method: "GET", url: `http://pricing.internal/price/${request}`, status_code: 200, duration_ms: 12 },
    })),
    request: {
      method: "GET",
      path: `/orders/ord_${index}`,
      headers: { host: "shop.example", "user-agent": "Mozilla/5.0 (X11; Linux x86_64)", authorization: "[redacted]" },
    },
    attributes: { region: "eu-west-1", tenant: `t_${index % 97}`, context: "" },
  };
  const missing = Math.max(0, eventBytes - JSON.stringify(bare).length);
  return {
    ...bare,
    attributes: { ...bare.attributes, context: randomBytes(missing).toString("base64").slice(0, missing) },
  };
}
