import type { Span } from "../otlp/span-message.ts";
import { isFields, text } from "./lenient.ts";
import type { SentryEvent, SentryStreamedSpan } from "./read-event.ts";
import { requestName, stepSpan } from "./step-span.ts";

/** Returns those spans that have valid IDs and times as spans of OpenTelemetry. */
export function streamedSpans(items: readonly SentryStreamedSpan[]): Span[] {
  return items.flatMap((item) => {
    const { name = "", is_segment: isSegment = false, end_timestamp: timestamp, ...step } = item;
    const data = attributesOf(item);
    const op = text(data["sentry.op"]);
    const status = item.status === "error" ? text(data["sentry.status.message"]) || "error" : item.status;
    return (
      stepSpan(
        { ...step, timestamp, op, status, description: name, data },
        isSegment ? requestName(name) : (op ?? ""),
      ) ?? []
    );
  });
}

/** Returns what the spans of one item say about the process that they are of. */
export function streamedFrom([item = {}]: readonly SentryStreamedSpan[]): SentryEvent {
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
