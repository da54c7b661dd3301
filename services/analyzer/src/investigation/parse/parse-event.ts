import { type Exception, type Frame, httpBreadcrumbDataSchema, type TelemetryEvent } from "@whence/protocol";
import type { EventFacts, OutgoingCall, ParsedError, ParsedException, ParsedFrame } from "../findings.ts";
import { SourceText } from "../source-text.ts";
import { isScalar } from "./formats/json-log.ts";
import { parseNode } from "./formats/node.ts";
import { normalizePath, originOf, parseFrame } from "./formats/node-frame.ts";
import { readableLines } from "./lines.ts";
import { chooseChain } from "./parse.ts";

/** What the batch said once for all its events. */
export interface EventEnvelope {
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly host: string;
  readonly instance: string;
}

/** The same shape for an event as for a pasted log; its frames need no parsing. */
export function parseEvent(event: TelemetryEvent): ParsedError {
  const reported = event.exceptions ?? [];
  const exceptions = reported.map((exception, index) => readException(exception, index, event));
  const message = new SourceText("telemetry", "event message", event.message);
  const printed = exceptions.length > 0 ? exceptions : readMessage(message);
  return {
    exceptions: printed,
    chain: chooseChain(printed),
    headline: event.message.split("\n", 1)[0] ?? "",
    sources: [message],
    unread: printed.length > 0 ? [] : ["the event carries a message and no exception"],
  };
}

/** What the event says beyond its exceptions. */
export function readEventFacts(event: TelemetryEvent, envelope: EventEnvelope): EventFacts {
  const breadcrumbs = event.breadcrumbs ?? [];
  return {
    ...envelope,
    id: event.id,
    at: event.timestamp,
    mechanism: event.mechanism,
    type: event.type,
    breadcrumbs,
    calls: breadcrumbs.flatMap((breadcrumb, index) => readCall(breadcrumb, index)),
    request: event.request,
    trace: event.trace,
  };
}

function readException(exception: Exception, index: number, event: TelemetryEvent): ParsedException {
  const text = exception.stack || `${exception.type}: ${exception.message}`;
  const source = new SourceText("exception", `${exception.type} in event ${event.id}`, text);
  const parent = exception.parent ?? (index === 0 ? null : index - 1);
  const isMember = event.exceptions?.[parent ?? -1]?.type === "AggregateError";
  return {
    type: exception.type,
    message: exception.message,
    properties: Object.fromEntries(
      Object.entries(exception.properties ?? {}).flatMap(([name, value]) => (isScalar(value) ? [[name, value]] : [])),
    ),
    frames: framesOf(exception, source),
    // A parent that does not stand before its cause would never end the walk along the chain.
    parent: parent !== null && parent < index ? parent : null,
    relation: parent === null ? null : isMember ? "aggregated" : "cause",
    source,
    printed: { start: 0, end: source.text.length },
    throwSite: null,
    fatal: !event.mechanism.handled && index === 0,
  };
}

/** As reported; parsed from the printed stack when there are none. */
function framesOf(exception: Exception, source: SourceText): ParsedFrame[] {
  const lines = readableLines(source);
  const printed = lines.flatMap((line) => parseFrame(line.text, line.printed) ?? []);
  if (!exception.frames || exception.frames.length === 0) return printed;
  return exception.frames.map((frame) => readFrame(frame, printed));
}

function readFrame(frame: Frame, printed: readonly ParsedFrame[]): ParsedFrame {
  const file = frame.file === undefined || frame.file === "<anonymous>" ? null : normalizePath(frame.file);
  const line = frame.line && frame.line > 0 ? frame.line : null;
  const column = frame.column && frame.column > 0 ? frame.column : null;
  const same = printed.find((other) => other.file === file && other.line === line && other.column === column);
  const origin = originOf(file);
  return {
    function: frame.function ?? same?.function ?? null,
    file,
    line,
    column,
    origin: origin === "runtime" || frame.in_app === undefined ? origin : frame.in_app ? "app" : "dependency",
    async: same?.async ?? false,
    printed: same?.printed ?? null,
    context: frame.context ?? null,
  };
}

/** A log event may hold a printed error. */
function readMessage(message: SourceText): ParsedException[] {
  return parseNode(message, readableLines(message));
}

function readCall(breadcrumb: NonNullable<TelemetryEvent["breadcrumbs"]>[number], index: number): OutgoingCall[] {
  if (breadcrumb.category !== "http") return [];
  const parsed = httpBreadcrumbDataSchema.safeParse(breadcrumb.data);
  if (!parsed.success) return [];
  const { data } = parsed;
  const host = URL.canParse(data.url) ? new URL(data.url).host : data.url;
  return [{ index, at: breadcrumb.timestamp, data, host, trouble: troubleOf(data) }];
}

function troubleOf({ status_code: status, error, error_code: code }: OutgoingCall["data"]): string | null {
  if (error !== undefined || code !== undefined) return `failed: ${[code, error].filter(Boolean).join(" ")}`;
  return status !== undefined && status >= 400 ? `answered ${status}` : null;
}
