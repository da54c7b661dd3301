import { cutText } from "../mapping/bounded-data.ts";
import type { KeptSpan } from "../telemetry/batch-message.ts";
import { textOf } from "./attribute.ts";
import { calledThing } from "./called-thing.ts";
import { otlpLimits } from "./otlp-limits.ts";
import type { Span } from "./span-message.ts";

const kinds: ReadonlyMap<number, KeptSpan["kind"]> = new Map([
  [2, "server"],
  [3, "client"],
  [4, "producer"],
  [5, "consumer"],
]);
const statusError = 2;
const failedFrom = 500;
/** The last hex digits of a trace ID are random, in the oldest version of trace contexts, too. */
const sampledDigits = 8;
const sampledValues = 16 ** sampledDigits;

const cut = (text: string): string => cutText(text, otlpLimits.otlpSpanTextLengthMax);

/**
 * Returns what is kept of a span: it failed, was slow, or its trace is one of the sample. Undefined for any other, and
 * for steps within a service. Whether a trace is one of the sample depends on its ID alone, so it is kept everywhere or
 * nowhere.
 */
export function keptSpan(span: Span): KeptSpan | undefined {
  const kind = kinds.get(span.kind);
  if (!kind) return undefined;
  const { attributes, status, startTimeUnixNano: startMs, endTimeUnixNano: endMs } = span;
  if (startMs <= 0 || startMs >= Date.UTC(10_000, 0)) return undefined;
  const called = calledThing(attributes, kind);
  const durationMs = Math.max(0, endMs - startMs);
  const answeredFailure = isFailedAnswer(called.statusCode ?? 0);
  const failed = status?.code === statusError || answeredFailure;
  const tells = answeredFailure || isTelling(status?.code ?? 0, durationMs);
  if (!tells && !isSampled(Number.parseInt(span.traceId.slice(-sampledDigits), 16))) return undefined;
  return {
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_id: span.parentSpanId,
    kind,
    at: new Date(startMs).toISOString(),
    duration_ms: durationMs,
    name: cut(span.name),
    category: called.category,
    method: cut(called.method),
    target: cut(called.target),
    peer: cut(called.peer),
    status_code: called.statusCode ?? null,
    error: failed ? cut(status?.message || textOf(attributes, "error.type", "rpc.grpc.status_code") || "") : null,
    weight: tells ? 1 : otlpLimits.otlpSampledOf,
  };
}

/** Whether spans of this kind are kept. Steps within a service aren't. */
export function isKeptKind(kind: number): boolean {
  return kinds.has(kind);
}

/** Whether a status code of HTTP says that the server failed. */
export function isFailedAnswer(statusCode: number): boolean {
  return statusCode >= failedFrom;
}

/** Whether a span is kept for its status or its duration. */
export function isTelling(statusCode: number, durationMs: number): boolean {
  return statusCode === statusError || durationMs >= otlpLimits.otlpSlowSpanMs;
}

/** Whether a trace is of the sample, by the number that the last digits of its ID are. */
export function isSampled(lastDigits: number): boolean {
  return lastDigits < sampledValues / otlpLimits.otlpSampledOf;
}
