import { keptSpan } from "../otlp/kept-span.ts";
import type { Span } from "../otlp/span-message.ts";
import { readContexts, type SentryTransaction } from "./read-event.ts";
import { type Pairs, requestName, type Steps, stepSpan } from "./step-span.ts";

/** Returns the steps of a transaction, itself first. */
export function transactionSteps(transaction: SentryTransaction): Steps {
  const spans = transactionSpans(transaction);
  return { from: transaction, isValid: spans.length > 0, kept: spans.flatMap((span) => keptSpan(span) ?? []) };
}

/** Those that have valid IDs and times, as spans of OpenTelemetry. */
function transactionSpans(transaction: SentryTransaction): Span[] {
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
