import { parseJson } from "@whence/protocol";
import { keptSpan } from "../otlp/kept-span.ts";
import type { Span } from "../otlp/span-message.ts";
import { type Turns, turnBytesMax } from "../plugins/turns.ts";
import type { KeptSpan } from "../telemetry/batch-message.ts";
import { jsonElements } from "./json-elements.ts";
import { isFields, text } from "./lenient.ts";
import { readStreamedSpan, type SentryEvent, type SentryStreamedSpan } from "./read-event.ts";
import { sentryLimits } from "./sentry-limits.ts";
import { requestName, type Steps, stepSpan } from "./step-span.ts";

/**
 * Reads the spans of an item that a client streams, which are of one process. An item may be large, so they are parsed one
 * by one, and only those that are kept stay; more than one turn's work waits for further turns. Null if one isn't JSON.
 */
export async function streamedSteps(payload: Buffer, turns: Turns): Promise<Steps | null> {
  const kept: KeptSpan[] = [];
  let first: SentryStreamedSpan | undefined;
  let isValid = false;
  let bytesOfTurn = 0;
  for (const json of firstSpans(payload)) {
    bytesOfTurn += json.length;
    if (bytesOfTurn > turnBytesMax) {
      await turns.take(turnBytesMax);
      bytesOfTurn = json.length;
    }
    const parsed = parseJson(json.toString("utf8"));
    if (parsed === undefined) return null;
    const item = readStreamedSpan(parsed);
    first ??= item;
    const span = item && streamedSpan(item);
    isValid ||= span !== undefined;
    const one = span && keptSpan(span);
    if (one) kept.push(one);
  }
  return { from: streamedFrom(first), isValid, kept };
}

/** Those within the limits, as JSON. */
function* firstSpans(payload: Buffer): Generator<Buffer> {
  let count = 0;
  for (const json of jsonElements(payload, "items")) {
    if (count === sentryLimits.spansMax) return;
    count += 1;
    if (json.length <= sentryLimits.itemBytesMax) yield json;
  }
}

/** Returns undefined without valid IDs and times. */
function streamedSpan(item: SentryStreamedSpan): Span | undefined {
  const { name = "", is_segment: isSegment = false, end_timestamp: timestamp, ...step } = item;
  const data = attributesOf(item);
  const op = text(data["sentry.op"]);
  const status = item.status === "error" ? text(data["sentry.status.message"]) || "error" : item.status;
  return stepSpan(
    { ...step, timestamp, op, status, description: name, data },
    isSegment ? requestName(name) : (op ?? ""),
  );
}

/** What a span says about the process that it is of. */
function streamedFrom(item: SentryStreamedSpan = {}): SentryEvent {
  const { "sentry.release": release, "sentry.environment": environment, ...data } = attributesOf(item);
  return {
    release: text(release),
    environment: text(environment),
    sdk: { name: text(data["sentry.sdk.name"]), version: text(data["sentry.sdk.version"]) },
    contexts: { trace: { trace_id: item.trace_id } },
  };
}

/** Clients write each value beside its type. */
function attributesOf({ attributes = {} }: SentryStreamedSpan): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, written]) => [name, isFields(written) ? written.value : undefined]),
  );
}
