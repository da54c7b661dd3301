import {
  type Breadcrumb,
  type Exception,
  type Frame,
  type Host,
  type HttpBreadcrumbData,
  httpBreadcrumbDataSchema,
  type TelemetryEvent,
} from "@whence/protocol";
import type { EventFacts } from "../findings/event-facts.ts";
import { noLogContext } from "../findings/log-context.ts";
import type { ParsedError, ParsedException, ParsedFrame, Scalar } from "../findings/parsed-error.ts";
import type { Gap } from "../signals/gap.ts";
import type { OutgoingCall } from "../signals/inputs/call.ts";
import { type Language, languageOfFile } from "../source/languages/languages.ts";
import { SourceText } from "../source/source-text.ts";
import { choose } from "./choose.ts";
import { withoutClientCalls } from "./client-calls.ts";
import { withCountablePlace } from "./countable-place.ts";
import { frameOrigin } from "./frame-origin.ts";
import { namedCalls } from "./named-call.ts";
import { parseText } from "./parse.ts";
import { normalizePath } from "./paths.ts";
import { type PrintedStack, readStack } from "./printed-stack.ts";

/** What the batch says once for all its events. */
export interface EventEnvelope {
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly host: string;
  readonly instance: string;
}

/**
 * Reads an event into the same form as a pasted log. `runtime` is `host.runtime.name` of the batch: it determines the
 * language of the errors, which is otherwise recognized by their stacks and files.
 */
export function parseEvent(event: TelemetryEvent, runtime: string | null = null): ParsedError {
  const message = new SourceText("telemetry", "event message", event.message);
  const exceptions = (event.exceptions ?? []).map((exception, index) =>
    readException(exception, index, { event, runtime }),
  );
  if (exceptions.length === 0) return readMessage(message);
  const { chain, because } = choose(exceptions);
  return {
    exceptions,
    chain,
    chosenBecause: because,
    records: [],
    alert: null,
    headline: firstLine(event.message),
    sources: [message],
    unread: [],
  };
}

/** Returns {@link readEventFacts} of an event as stored. */
export function eventFactsOf({
  event,
  host,
  ...envelope
}: Omit<EventEnvelope, "host"> & { readonly event: TelemetryEvent; readonly host: Host }): EventFacts {
  const { service, env, release, instance } = envelope;
  return readEventFacts(event, { service, env, release, host: host.name, instance });
}

/** Returns what the event contains besides its exceptions. */
export function readEventFacts(event: TelemetryEvent, envelope: EventEnvelope): EventFacts {
  const breadcrumbs = event.breadcrumbs ?? [];
  const isNamed = namedCalls(event);
  const isRelated = (breadcrumb: Breadcrumb, data: HttpBreadcrumbData): boolean =>
    breadcrumb.scope !== "process" || (event.request === undefined && isNamed(data));
  return {
    ...envelope,
    id: event.id,
    at: event.timestamp,
    mechanism: event.mechanism,
    type: event.type,
    breadcrumbs,
    variables: event.environment_variables ? new Set(event.environment_variables) : null,
    calls: breadcrumbs.flatMap((breadcrumb, index) => readCall(breadcrumb, index, isRelated)),
    request: event.request,
    trace: event.trace,
  };
}

/** Errors that aggregate several others. */
const aggregates: ReadonlySet<string> = new Set(["AggregateError", "ExceptionGroup", "BaseExceptionGroup"]);

function readException(
  exception: Exception,
  index: number,
  { event, runtime }: { readonly event: TelemetryEvent; readonly runtime: string | null },
): ParsedException {
  const text = exception.stack || `${exception.type}: ${exception.message}`;
  const source = new SourceText("exception", `${exception.type} in event ${event.id}`, text);
  const parent = exception.parent ?? (index === 0 ? null : index - 1);
  const isMember = aggregates.has(event.exceptions?.[parent ?? -1]?.type ?? "");
  const stack = readStack(source, exception.type, runtime);
  const language = stack.language ?? languageOfFrames(exception);
  return {
    type: exception.type,
    message: exception.message,
    properties: Object.fromEntries(
      Object.entries(exception.properties ?? {}).flatMap(([name, value]) => (isScalar(value) ? [[name, value]] : [])),
    ),
    frames: withoutClientCalls(framesOf(exception, stack, language)),
    // A parent that doesn't precede its cause could make the walk along the chain endless.
    parent: parent !== null && parent < index ? parent : null,
    relation: parent === null ? null : isMember ? "aggregated" : "cause",
    source,
    printed: { start: 0, end: source.text.length },
    throwSite: null,
    fatal: !event.mechanism.handled && index === 0,
    language,
    level: null,
    repeats: 1,
    logContext: noLogContext,
  };
}

function languageOfFrames({ frames = [] }: Exception): Language | null {
  return frames.flatMap(({ file }) => (file === undefined ? [] : (languageOfFile(file) ?? [])))[0] ?? null;
}

/** Returns the reported frames, or those parsed from the printed stack when there are none. */
function framesOf({ frames }: Exception, stack: PrintedStack, language: Language | null): readonly ParsedFrame[] {
  if (!frames || frames.length === 0) return stack.frames;
  return frames.map((frame) => readFrame(frame, stack.frames, language));
}

/** What runtimes print as the function of top-level code. */
const moduleCode = "<module>";
/** What runtimes print as the file of evaluated code. */
const noFiles: ReadonlySet<string> = new Set(["<anonymous>", "<string>", "<stdin>"]);

function readFrame(frame: Frame, printed: readonly ParsedFrame[], language: Language | null): ParsedFrame {
  const file = frame.file === undefined || noFiles.has(frame.file) ? null : normalizePath(frame.file);
  const { line, column } = withCountablePlace({ line: frame.line ?? null, column: frame.column ?? null });
  // Not every runtime prints columns.
  const same = printed.find(
    (other) => other.file === file && other.line === line && (other.column === column || other.column === null),
  );
  const origin = frameOrigin(file, language, frame.function, frame.file);
  return {
    function: (frame.function === moduleCode ? null : frame.function) ?? same?.function ?? null,
    file,
    line,
    column,
    origin: origin === "runtime" || frame.in_app === undefined ? origin : frame.in_app ? "app" : "dependency",
    async: same?.async ?? false,
    printed: same?.printed ?? null,
    context: frame.context ?? null,
    ...(frame.in_app === false && { disowned: true }),
    ...(frame.vars && { variables: frame.vars }),
  };
}

/** The gaps that a report mentions for a message that contains a printed error. */
const reportedGaps: ReadonlySet<Gap["kind"]> = new Set<Gap["kind"]>([
  "rival-errors",
  "errors-in-values",
  "forgeable-text",
]);

/**
 * Reads a log event's message, which may contain a printed error; what only looks like the name of one stays in the
 * message.
 */
function readMessage(message: SourceText): ParsedError {
  const read = parseText(message.text);
  const isPrinted = read.exceptions.some(({ frames }) => frames.length > 0);
  return {
    ...read,
    exceptions: isPrinted ? read.exceptions.map((exception) => ({ ...exception, source: message })) : [],
    chain: isPrinted ? read.chain : [],
    records: read.records.map((record) => ({ ...record, source: message })),
    alert: read.alert && { ...read.alert, source: message },
    headline: firstLine(message.text),
    sources: [message],
    unread: isPrinted ? read.unread.filter(({ kind }) => reportedGaps.has(kind)) : [{ kind: "message-only" }],
  };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function readCall(
  breadcrumb: Breadcrumb,
  index: number,
  isRelated: (breadcrumb: Breadcrumb, data: HttpBreadcrumbData) => boolean,
): OutgoingCall[] {
  if (breadcrumb.category !== "http") return [];
  const parsed = httpBreadcrumbDataSchema.safeParse(breadcrumb.data);
  if (!parsed.success) return [];
  const { data } = parsed;
  const host = URL.canParse(data.url) ? new URL(data.url).host : data.url;
  return [
    {
      index,
      at: breadcrumb.timestamp,
      data,
      host,
      trouble: troubleOf(data),
      isRelated: isRelated(breadcrumb, data),
    },
  ];
}

/**
 * Returns `ECONNREFUSED refused`. A message that begins or ends with its code, like those of Node.js, has the code only
 * once.
 */
function failureText(error = "", code = ""): string {
  return (error.includes(code) ? [error] : [code, error]).filter((part) => part !== "").join(" ");
}

function troubleOf({ status_code: status, error, error_code: code }: OutgoingCall["data"]): string | null {
  if (error !== undefined || code !== undefined) return `failed: ${failureText(error, code)}`;
  return status !== undefined && status >= 400 ? `answered ${status}` : null;
}
