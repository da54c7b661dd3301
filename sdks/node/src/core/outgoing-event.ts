import type { Level } from "./level.ts";

/**
 * An event as it leaves the process, which `beforeSend` receives. Declared here so that the package's types need no
 * other package; a test checks it against the protocol's.
 */
export interface OutgoingEvent {
  readonly id: string;
  readonly seq: number;
  readonly type: "exception" | "log" | "heartbeat" | "exit";
  /** RFC 3339. */
  readonly timestamp: string;
  readonly mechanism: { readonly type: string; readonly handled: boolean };
  level: Level;
  message: string;
  /** The error, then its causes, outermost first. */
  exceptions?: OutgoingException[] | undefined;
  /** Oldest first. */
  breadcrumbs?: OutgoingBreadcrumb[] | undefined;
  request?:
    | { method: string; path: string; route?: string | undefined; headers: Record<string, string | string[]> }
    | undefined;
  trace?: { trace_id: string; span_id: string } | undefined;
  attributes?: Record<string, unknown> | undefined;
  user?: Record<string, unknown> | undefined;
  tags?: Record<string, string> | undefined;
  contexts?: Record<string, Record<string, unknown>> | undefined;
  /** Names of the variables that are set in the process's environment; never a value. */
  environment_variables?: string[] | undefined;
  /** What was seen at watched places, on the way to the event in the same request or job. */
  watched?: OutgoingWatched | undefined;
  /** The values redacted by name. Recomputed from the result of `beforeSend`. */
  redactions?: { rule: string; path: string }[] | undefined;
}

/** One link of a cause chain. */
export interface OutgoingException {
  type: string;
  message: string;
  /** As V8 formatted it. */
  stack: string;
  frames?: OutgoingFrame[] | undefined;
  module?: string | undefined;
  /** Own scalar properties such as `code` and `errno`. */
  properties?: Record<string, unknown> | undefined;
  /** Index of the error that this one caused, or that aggregates it. */
  parent?: number | undefined;
}

/** One call on the stack. */
export interface OutgoingFrame {
  file?: string | undefined;
  function?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  in_app?: boolean | undefined;
  context?:
    | { start_line: number; lines: string[]; function?: { start_line: number; end_line: number } | undefined }
    | undefined;
  generated?: { file: string; line?: number | undefined; column?: number | undefined } | undefined;
  vars?: Record<string, unknown> | undefined;
}

/** What an order to watch places brought in. Lines are 1-based, times in milliseconds since the places were armed. */
export interface OutgoingWatched {
  order: string;
  at_ms: number;
  places: { place: number; hits: number; is_complete: boolean }[];
  hits: OutgoingHit[];
}

/** A stop at a watched place. */
export interface OutgoingHit extends OutgoingCall {
  kind: "reached" | "returned" | "threw";
  nth: number;
  values: Record<string, string>;
  returned?: string | undefined;
  error?: string | undefined;
  thread: string;
  at_ms: number;
  callers: OutgoingCall[];
}

/** A call that led to a stop. */
export interface OutgoingCall {
  file: string;
  line: number;
  function: string | null;
  starts: number | null;
}

/** Something that happened before an event. */
export interface OutgoingBreadcrumb {
  timestamp: string;
  category: string;
  level?: Level | undefined;
  message?: string | undefined;
  data?: Record<string, unknown> | undefined;
  /** `process` when it was recorded outside of any request or job. */
  scope?: "process" | undefined;
}

/**
 * Called once for each error, message, and log record, including crashes, before any of it leaves the process. The
 * returned event is sent; `null` drops it. It may be async: an event without an answer after 2 seconds is dropped. If
 * the hook throws or returns anything else, or the process ends before its answer, the event is sent without its data.
 * It is also called for heartbeats that carry breadcrumbs, but can only change those: `null` or a failure removes them,
 * and the heartbeat is sent anyway, since a missing one means that the process died.
 */
export type BeforeSend = (event: OutgoingEvent) => OutgoingEvent | null | Promise<OutgoingEvent | null>;

/**
 * Called for each breadcrumb when it is recorded; for an outgoing request, when it starts and again with its answer.
 * The returned breadcrumb is kept; `null` drops it. It must not be async. If it throws or returns anything else, the
 * breadcrumb is kept unchanged.
 */
export type BeforeBreadcrumb = (breadcrumb: OutgoingBreadcrumb) => OutgoingBreadcrumb | null;
