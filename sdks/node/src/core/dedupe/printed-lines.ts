import { limits } from "@whence/protocol/limits";
import { isError } from "../../runtime/is-error.ts";
import { trimText } from "../../runtime/text.ts";
import { type LogRecord, withPrintedError } from "../log-record.ts";
import type { RequestContext } from "../request-context.ts";

/** A failure that was printed to the console. */
interface PrintedFailure {
  readonly record: LogRecord;
  readonly eventId: string;
  /** Whether the event was created for this record, rather than for an error captured before. */
  readonly isOwn: boolean;
  readonly context: RequestContext | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How to handle a line that continues a failure. */
export interface Continuation {
  readonly eventId: string;
  /** The record including the line, for the event; undefined when the event has it already. */
  readonly record: LogRecord | undefined;
}

/** Matches a line that continues another: indented, empty, a bullet, a closing bracket, or a known phrase. */
const continuing = /^(?:[ \t]|$|[-|}\])^]|Require stack:|Caused by:|Node\.js v\d)/;
const windowMs: number = limits.flushIntervalMs;

/** Joins a failure that a program prints line by line, each with its own call. */
export class PrintedLines {
  #last: PrintedFailure | undefined;

  /** Remembers a failure that later lines may continue. */
  note(failure: PrintedFailure): void {
    this.#last = failure.record.logger === "console" ? failure : undefined;
  }

  /** Returns what a record continues; undefined for a separate record. */
  continued(record: LogRecord, context: RequestContext | undefined, now: number): Continuation | undefined {
    const last = this.#last;
    if (!last || record.logger !== "console" || record.error !== undefined || !continuing.test(record.message)) return;
    if (last.context !== context || Math.abs(now - last.at) > windowMs) return;
    const { eventId, isOwn } = last;
    // An error object contains everything in its printed lines.
    if (!isOwn || last.record.message === "") return { eventId, record: undefined };
    const message = trimText(`${last.record.message}\n${record.message}`, limits.messageLengthMax);
    const { error } = last.record;
    // What was parsed from the earlier lines is parsed again, with this one.
    const known = isError(error) ? error : undefined;
    return { eventId, record: withPrintedError({ ...last.record, message, error: known }) };
  }
}
