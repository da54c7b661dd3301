import { type Level, limits, type Request, type TelemetryEvent } from "@whence/protocol";
import { cutText } from "../mapping/bounded-data.ts";
import { derivedId } from "../mapping/event-id.ts";
import type { Attributes } from "./any-value.ts";
import { keptAttributes, redactionsIn, redactNamed, textOf, userIn } from "./attribute.ts";
import { otlpLimits } from "./otlp-limits.ts";
import type { LogRecord } from "./requests.ts";
import { exceptionEvent, type Span } from "./span-message.ts";
import { type RecordedError, recordedError } from "./to-exceptions.ts";
import { isSpanId, isTraceId } from "./trace-ids.ts";

/** Whose telemetry it is, and when it came. */
export interface EventOwner {
  readonly scopeId: string;
  readonly service: string;
  readonly instance: string;
  readonly receivedAt: string;
}

/** A part of the program that creates spans or records. */
export interface Scope {
  readonly name: string;
}

/** `StatusCode` of a span: its program says that it succeeded, whatever happened in it. */
const statusOk = 1;
/** `SeverityNumber`s, each the first of four. */
const [warn, error, fatal] = [13, 17, 21];
const severityNames: readonly (readonly [RegExp, number])[] = [
  [/^(?:fatal|critical|emerg|alert|panic)/i, fatal],
  [/^err/i, error],
  [/^warn/i, warn],
];

/**
 * Returns the errors of a span as events. `requestOf` finds the request that the span was part of; it is asked only for
 * a span with errors. An error that several spans and records of one trace name is one event: it has the same ID each
 * time.
 */
export function spanEvents(
  span: Span,
  scope: Scope,
  { owner, requestOf }: { readonly owner: EventOwner; readonly requestOf: (span: Span) => Request | undefined },
): TelemetryEvent[] {
  const thrown = span.events.filter(({ name }) => name === exceptionEvent).slice(-otlpLimits.otlpErrorsPerSpanMax);
  if (thrown.length === 0) return [];
  const [own, request] = [firstOf(span.attributes), requestOf(span)];
  return thrown.flatMap((event) => {
    const found = recordedError(event.attributes);
    if (!found) return [];
    const level = span.status?.code === statusOk ? "warning" : "error";
    const escaped = String(event.attributes.get("exception.escaped")).toLowerCase() === "true";
    return [
      toEvent({
        owner,
        level,
        trace: span,
        scope,
        found,
        body: undefined,
        handled: !escaped,
        timeMs: event.timeUnixNano || span.endTimeUnixNano,
        context: "span",
        request,
        attributes: new Map([["name", span.name], ...own, ...firstOf(event.attributes)]),
      }),
    ];
  });
}

/** Returns a record as an event; undefined for one that reports no failure and no error. */
export function logEvent(record: LogRecord, scope: Scope, owner: EventOwner): TelemetryEvent | undefined {
  const severity = severityOf(record);
  const found = severity === 0 || severity >= warn ? recordedError(record.attributes) : undefined;
  if (!found && severity < error) return undefined;
  return toEvent({
    owner,
    level: levelOf(severity),
    trace: record,
    scope,
    found,
    body: textOfBody(record.body),
    handled: true,
    timeMs: record.timeUnixNano || record.observedTimeUnixNano,
    context: "log",
    request: undefined,
    attributes: new Map(firstOf(record.attributes)),
  });
}

function severityOf({ severityNumber, severityText }: LogRecord): number {
  if (severityNumber > 0) return severityNumber;
  return severityNames.find(([name]) => name.test(severityText))?.[1] ?? 0;
}

function levelOf(severity: number): Level {
  if (severity >= fatal) return "critical";
  return severity >= error || severity === 0 ? "error" : "warning";
}

function textOfBody(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  return typeof body === "string" ? body : JSON.stringify(body, redactNamed);
}

interface Mapped {
  readonly owner: EventOwner;
  readonly level: Level;
  readonly trace: Pick<Span, "traceId" | "spanId">;
  readonly scope: Scope;
  readonly found: RecordedError | undefined;
  readonly body: string | undefined;
  readonly handled: boolean;
  readonly timeMs: number;
  readonly context: "span" | "log";
  readonly request: Request | undefined;
  readonly attributes: Attributes;
}

/** Those that may be kept, and as many that are kept elsewhere: each error of a span copies them. */
function firstOf(attributes: Attributes): [string, unknown][] {
  const first: [string, unknown][] = [];
  for (const attribute of attributes) {
    if (first.length === 2 * otlpLimits.otlpAttributesMax) break;
    first.push(attribute);
  }
  return first;
}

function toEvent(mapped: Mapped): TelemetryEvent {
  const { owner, level, found, body, handled, timeMs, context, request, attributes, scope } = mapped;
  const kept = keptAttributes(attributes);
  const said = found && body !== undefined && body !== "" ? { body: cutText(body, limits.tagValueLengthMax) } : {};
  const user = userIn(attributes);
  const redactions = [
    ...redactionsIn(`/contexts/${context}`, kept),
    ...(user ? redactionsIn("/user", user) : []),
  ].slice(0, limits.redactionsMax);
  const logger = scope.name === "" ? textOf(attributes, "logger.name", "log.logger") : scope.name;
  return {
    id: idOf(mapped),
    // A client's spans and records have no numbers.
    seq: 1,
    type: found ? "exception" : "log",
    timestamp: timestampOf(timeMs, owner.receivedAt),
    level,
    message: cutText(found?.exceptions[0]?.message || body || (found ? "" : "no message"), limits.messageLengthMax),
    mechanism: { type: `opentelemetry.${context}`, handled },
    ...(found && { exceptions: [...found.exceptions] }),
    ...(request && { request }),
    ...traceOf(mapped.trace),
    ...(logger !== undefined && { attributes: { logger: cutText(logger, limits.textLengthMax) } }),
    ...(user && { user: user.data }),
    contexts: { [context]: { ...kept.data, ...said } },
    ...(redactions.length > 0 && { redactions }),
  };
}

/** A time that can't be written is that of the receipt. */
function timestampOf(timeMs: number, receivedAt: string): string {
  const isWritable = timeMs > 0 && timeMs < Date.UTC(10_000, 0);
  return isWritable ? new Date(timeMs).toISOString() : receivedAt;
}

function traceOf({ traceId, spanId }: Mapped["trace"]): Pick<TelemetryEvent, "trace"> {
  return isTraceId(traceId) && isSpanId(spanId) ? { trace: { trace_id: traceId, span_id: spanId } } : {};
}

function idOf(mapped: Mapped): string {
  const { owner, trace, found, body } = mapped;
  const { scopeId, service, instance } = owner;
  const own =
    found && isTraceId(trace.traceId)
      ? [trace.traceId, found.identity]
      : [trace.traceId, trace.spanId, instance, timeOf(mapped), found?.identity, body];
  return derivedId(JSON.stringify([scopeId, service, ...own]));
}

/** Without a time and a trace, only the receipt tells two records of one error apart. */
function timeOf({ owner, trace, timeMs }: Mapped): number | string {
  return timeMs > 0 || isTraceId(trace.traceId) ? timeMs : owner.receivedAt;
}
