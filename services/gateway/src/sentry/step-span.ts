import type { Attributes } from "../otlp/any-value.ts";
import type { Span } from "../otlp/span-message.ts";
import { spanKinds } from "../otlp/to-request.ts";
import { isSpanId, isTraceId } from "../otlp/trace-ids.ts";
import type { KeptSpan } from "../telemetry/batch-message.ts";
import { timeOf } from "./event-times.ts";
import type { SentryEvent, SentryStep } from "./read-event.ts";

/** What an operation starts with, and the kind of step that it is. Any other is a step within the service. */
const kinds: readonly (readonly [operation: RegExp, kind: number])[] = [
  [/^(?:http|grpc|rpc|websocket)\.server\b/, spanKinds.server],
  [/^queue\.(?:process|task|receive)\b/, spanKinds.consumer],
  [/^queue\.(?:publish|submit|create|send)\b/, spanKinds.producer],
  [/^(?:http|grpc|rpc)\b|^db\b|^cache\b/, spanKinds.client],
];
const kindNames: ReadonlyMap<unknown, number> = new Map(Object.entries(spanKinds));
const noErrors: ReadonlySet<string> = new Set(["", "ok", "cancelled", "unset"]);
/** Statuses of a step that fails because of its caller. */
const callerErrors: ReadonlySet<string> = new Set([
  "invalid_argument",
  "failed_precondition",
  "out_of_range",
  "unauthenticated",
  "permission_denied",
  "not_found",
  "already_exists",
]);
const [statusUnset, statusError] = [0, 2];

/** Where there is no route, a request has the name of its URL. */
export function requestName(name: string): string {
  return name.split(/[?#]/, 1)[0] ?? "";
}

/** The steps of traces that an item holds. */
export interface Steps {
  /** What the item says about the process that they are of. */
  readonly from: SentryEvent;
  /** Whether one of them has valid IDs and times. */
  readonly isValid: boolean;
  /** Whether one is left out because it is too large. */
  readonly hasTooLarge?: boolean;
  readonly kept: readonly KeptSpan[];
}

/** Attributes, by their name. */
export type Pairs = readonly (readonly [string, unknown])[];

/**
 * Returns a step as a span of OpenTelemetry, with this name and more attributes; undefined without valid IDs and times.
 * The description of a step may be a statement with values in it, or a URL with a query string, so it is no name.
 */
export function stepSpan(step: SentryStep, name: string, more: Pairs = []): Span | undefined {
  const { op = "", status = "" } = step;
  const [traceId, spanId] = [idOf(step.trace_id), idOf(step.span_id)];
  const [startMs, endMs] = [step.start_timestamp, step.timestamp].map((time) => Date.parse(timeOf(time) ?? ""));
  if (!isTraceId(traceId) || !isSpanId(spanId) || !startMs || !endMs) return undefined;
  const kind = kinds.find(([operation]) => operation.test(op))?.[1] ?? kindNames.get(step.data?.["sentry.kind"]) ?? 0;
  return {
    traceId,
    spanId,
    parentSpanId: idOf(step.parent_span_id),
    name,
    kind,
    startTimeUnixNano: startMs,
    endTimeUnixNano: endMs,
    events: [],
    attributes: attributesOf(step, kind, more),
    status: { code: isFailed(status, kind, step.data) ? statusError : statusUnset, message: status },
  };
}

/** Clients leave dashes in IDs, or write them in capitals. */
function idOf(id: string | undefined): string {
  return (id ?? "").replaceAll("-", "").toLowerCase();
}

/** As in OpenTelemetry: an answer of 400 is a failure of the caller alone. */
function isFailed(status: string, kind: number, data: SentryStep["data"] = {}): boolean {
  if (noErrors.has(status)) return false;
  if (kind === spanKinds.client || kind === spanKinds.producer) return true;
  // Python's client says only "error", of any answer from 400.
  const answer = Number(data["http.response.status_code"] ?? data["http.status_code"]);
  return !callerErrors.has(status) && !(answer >= 400 && answer < 500);
}

/** What the client says by the names of the semantic conventions, and what it says only in other words. */
function attributesOf({ op = "", description = "", data = {} }: SentryStep, kind: number, more: Pairs): Attributes {
  const attributes = new Map<string, unknown>([...more, ...Object.entries(data)]);
  const add = (name: string, value: unknown): void => {
    if (value !== undefined && !attributes.has(name)) attributes.set(name, value);
  };
  add("url.full", data.url);
  if (kind === spanKinds.client && op.startsWith("http")) {
    const [, method, url] = /^([A-Z]+) (\S+)/.exec(description) ?? [];
    if (!attributes.has("http.method")) add("http.request.method", method ?? data.method);
    if (!attributes.has("http.url")) add("url.full", url);
  }
  if (kind === spanKinds.client && /^(?:db|cache)\b/.test(op) && !attributes.has("db.system.name")) {
    add("db.system", op.split(".").at(-1));
  }
  if (/^queue\b/.test(op)) add("messaging.system", "queue");
  return attributes;
}
