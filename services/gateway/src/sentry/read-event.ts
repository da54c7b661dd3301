import { limits } from "@whence/protocol";
import {
  fields,
  first,
  flag,
  last,
  lines,
  listOf,
  name,
  object,
  pairs,
  type Read,
  type Reader,
  string,
  text,
  time,
  whole,
} from "./lenient.ts";
import { sentryLimits } from "./sentry-limits.ts";

/** Of a stack with too many calls, the outermost ones that stay: they name the entry point. */
const outerFramesKept = 10;

/** The innermost calls, and the outermost ones, which come first. */
function keptFrames(frames: readonly unknown[]): readonly unknown[] {
  if (frames.length <= limits.framesMax) return frames;
  return [...frames.slice(0, outerFramesKept), ...frames.slice(outerFramesKept - limits.framesMax)];
}

const readFrame = object({
  filename: name,
  abs_path: name,
  module: name,
  function: name,
  lineno: whole,
  colno: whole,
  in_app: flag,
  pre_context: lines(last(limits.contextLinesMax)),
  context_line: string,
  post_context: lines(first(limits.contextLinesMax)),
  vars: fields,
});
export type SentryFrame = Read<typeof readFrame>;

const readException = object({
  type: name,
  value: text,
  module: name,
  /** Outermost call first. */
  stacktrace: object({ frames: listOf(readFrame, keptFrames) }),
  mechanism: object({
    type: text,
    handled: flag,
    exception_id: whole,
    parent_id: whole,
    is_exception_group: flag,
  }),
});
export type SentryException = Read<typeof readException>;
const exceptions = listOf(readException, last(limits.exceptionsMax));

const readBreadcrumb = object({
  timestamp: time,
  type: text,
  category: text,
  level: text,
  message: text,
  data: fields,
});
export type SentryBreadcrumb = Read<typeof readBreadcrumb>;

const readRequest = object({ url: text, method: text, headers: pairs(sentryLimits.headersMax) });
export type SentryRequestFields = Read<typeof readRequest>;

const named = object({ name: text, version: text });
const formatted = object({ formatted: text, message: text });
const image = object({ code_file: string, debug_id: string });

const eventFields = {
  event_id: text,
  timestamp: time,
  platform: text,
  level: text,
  logger: text,
  transaction: text,
  server_name: text,
  release: text,
  environment: text,
  message: (value: unknown) => string(value) ?? formatted(value),
  logentry: formatted,
  /** The innermost cause first. One exception may stand without its list. */
  exception: (value: unknown) => exceptions(isOneException(value) ? [value] : value),
  breadcrumbs: listOf(readBreadcrumb, last(limits.breadcrumbsMax)),
  request: readRequest,
  user: object({ id: text }),
  tags: pairs(sentryLimits.tagsMax),
  extra: fields,
  contexts: fields,
  sdk: named,
  /** Which build of each file failed. */
  debug_meta: object({ images: listOf(image, first(sentryLimits.debugIdsMax)) }),
} satisfies Readonly<Record<string, Reader<unknown>>>;

function isOneException(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Reads an event of Sentry's clients. Anything that is an object is one: every field may be missing. */
export const readSentryEvent = object(eventFields);
export type SentryEvent = Read<typeof readSentryEvent>;

const stepFields = {
  trace_id: text,
  span_id: text,
  parent_span_id: text,
  op: text,
  status: text,
  data: fields,
};
const readStep = object({ ...stepFields, description: text, start_timestamp: time, timestamp: time });
/** A step of a trace, as far as it says what it is. */
export type SentryStep = Read<typeof readStep>;

/** Reads a transaction: an event, and the steps in it. */
export const readSentryTransaction = object({
  ...eventFields,
  start_timestamp: time,
  spans: listOf(readStep, first(sentryLimits.spansMax)),
});
export type SentryTransaction = Read<typeof readSentryTransaction>;

/** Reads a step that a client streams. */
export const readStreamedSpan = object({
  trace_id: text,
  span_id: text,
  parent_span_id: text,
  name: text,
  status: text,
  is_segment: flag,
  start_timestamp: time,
  end_timestamp: time,
  attributes: fields,
});
/** A step of a trace as it is sent on its own, before the trace has ended. */
export type SentryStreamedSpan = Read<typeof readStreamedSpan>;

/** Reads the contexts that are known by name. */
export const readContexts = object({
  runtime: named,
  os: named,
  device: object({ arch: text }),
  app: object({ app_start_time: text }),
  trace: object(stepFields),
});
export type SentryContexts = Read<typeof readContexts>;

/** Reads what a client says it dropped. */
export const readClientReport = object({
  timestamp: time,
  discarded_events: listOf(
    object({ reason: string, category: string, quantity: whole }),
    first(limits.droppedRangesMax),
  ),
});
export type ClientReport = Read<typeof readClientReport>;
