import type { Span } from "../otlp/span-message.ts";
import { readContexts, type SentryTransaction } from "./read-event.ts";
import { type Pairs, requestName, stepSpan } from "./step-span.ts";

/** Returns the steps of a transaction that have valid IDs and times, itself first, as spans of OpenTelemetry. */
export function transactionSpans(transaction: SentryTransaction): Span[] {
  const { trace } = readContexts(transaction.contexts) ?? {};
  const { start_timestamp, timestamp, transaction: name = "", spans = [] } = transaction;
  const root = trace && stepSpan({ ...trace, start_timestamp, timestamp }, requestName(name), requestOf(transaction));
  const steps = spans.map((step) => stepSpan({ ...step, trace_id: step.trace_id ?? trace?.trace_id }, step.op ?? ""));
  return [root, ...steps].flatMap((span) => span ?? []);
}

/** The request that a transaction handled. */
function requestOf({ request }: SentryTransaction): Pairs {
  if (request?.method === undefined || request.url === undefined) return [];
  return [
    ["http.request.method", request.method],
    ["url.full", request.url],
  ];
}
