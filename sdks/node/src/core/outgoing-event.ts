import type { Level } from "./level.ts";

/**
 * An event as it leaves the process, as `beforeSend` is given it. Declared here, so that the types of the package need
 * no other package; a test proves that it is protocol's.
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
  /** What was replaced by name: made anew from what `beforeSend` returns. */
  redactions?: { rule: string; path: string }[] | undefined;
}

/** One link of a cause chain. */
export interface OutgoingException {
  type: string;
  message: string;
  /** As V8 printed it. */
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

/** Something that happened before an event. */
export interface OutgoingBreadcrumb {
  timestamp: string;
  category: string;
  level?: Level | undefined;
  message?: string | undefined;
  data?: Record<string, unknown> | undefined;
}

/**
 * Sees each error, message and log record once, before anything of it leaves the process, crashes included. What it
 * returns is sent; `null` keeps the event back. It must not be async. When it throws, or returns anything else, the
 * event goes without all that may hold data. Heartbeats that tell what the program did come by, too: of what is returned
 * their breadcrumbs are taken, and `null` or a failure leaves those out, since a heartbeat that is missing means a death.
 */
export type BeforeSend = (event: OutgoingEvent) => OutgoingEvent | null;
