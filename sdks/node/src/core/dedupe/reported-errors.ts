import { limits } from "@whence/protocol/limits";
import { attachment } from "../../runtime/attachment.ts";
import { isObject } from "../../runtime/is-object.ts";
import { loadBuiltin } from "../../runtime/load-builtin.ts";
import { readProperty } from "../../runtime/read-property.ts";
import { isFatal, type WhenceEvent } from "../event.ts";
import type { RequestContext } from "../request-context.ts";
import type { Stack } from "../stack.ts";
import { RecentStacks } from "./recent-stacks.ts";
import { RecentTexts } from "./recent-texts.ts";
import type { Report } from "./report.ts";

/** An earlier capture of an error. */
export interface CapturedError {
  readonly eventId: string;
  /** The request in which it was captured. */
  readonly context: RequestContext | undefined;
  /** Whether the program captured it with `captureException`. */
  readonly byProgram: boolean;
  /** When it was excluded by the program's options, in milliseconds since 1970. */
  readonly leftOutAt?: number | undefined;
}

/** What is known about an error object. */
interface KnownError {
  captured?: CapturedError;
  report?: Report;
}

/** Queued events that can be replaced. */
export interface ReplaceableEvents {
  /** Replaces a queued event; returns false when it has left the queue. */
  supersede(eventId: string, event: WhenceEvent): boolean;
}

/** A failure is logged and captured at about the same time; an equal stack later is another failure. */
const dedupeWindowMs: number = limits.flushIntervalMs;

/**
 * The name of a property on errors in worker threads. A parent thread gets a copy that keeps only properties with
 * string names.
 */
const threadMark = "whenceReported";

/**
 * The errors reported so far, so that each failure becomes one event, however many handlers capture it, whether or not
 * it is also logged, and even when it crosses from a worker thread to its parent.
 *
 * An error is recognized by identity; when it was logged as text, by its printed stack; and when the console got its
 * message and its stack separately, by the message. The same object captured in an unrelated request is another error,
 * since programs throw constants. A primitive has no identity: it is the same error when it is captured again in the
 * same request, with nothing captured in between.
 */
export class ReportedErrors {
  readonly #events: ReplaceableEvents;
  readonly #byError = attachment<KnownError>();
  readonly #lastCaptured = new WeakMap<RequestContext, { readonly error: unknown; readonly captured: CapturedError }>();
  readonly #recentStacks = new RecentStacks();
  readonly #recentTexts = new RecentTexts();

  constructor(events: ReplaceableEvents) {
    this.#events = events;
  }

  addCaptured(error: unknown, captured: CapturedError): void {
    if (isObject(error)) this.#known(error).captured = captured;
    if (captured.context) this.#lastCaptured.set(captured.context, { error, captured });
  }

  /** Whether a captured error was excluded just now, so that its log record is excluded, too. */
  isLeftOut({ leftOutAt }: CapturedError, now: number): boolean {
    return leftOutAt !== undefined && Math.abs(now - leftOutAt) <= dedupeWindowMs;
  }

  /** Returns how this error was captured before; undefined when it is new. */
  findCaptured(error: unknown, context: RequestContext | undefined): CapturedError | undefined {
    if (!isObject(error)) return context && this.#findPrimitive(error, context);
    const captured = this.#byError.of(error)?.captured;
    // Outside of any request, or in one that encloses the request of the capture, it is the same error.
    const isElsewhere =
      captured?.context !== undefined && context !== undefined && !isWithin(captured.context, context);
    return isElsewhere ? undefined : captured;
  }

  /**
   * Returns the id of the event that already reports this error, so that this one isn't sent; undefined when there is
   * none. A captured error replaces a logged one; a crash is reported even when the logged one has left the queue.
   */
  dedupe(event: WhenceEvent, error: unknown): string | undefined {
    const stack = event.thrown?.[0]?.stack;
    if (stack === undefined) return event.mechanism.type === "console" ? this.#dedupeText(event) : undefined;
    const isLogged = event.type === "log";
    const at = event.timestamp;
    const report = this.#findReport(error, stack, at) ?? this.#recentTexts.find(stack.header, recentAt(at));
    const eventId = report && this.#covers(report, event, isLogged) ? report.eventId : undefined;
    if (eventId === undefined || !isLogged || report?.isText) {
      this.#addReport(error, stack, { eventId: eventId ?? event.id, isLogged, at });
    }
    return eventId;
  }

  /** Whether an event has just reported this error, captured or logged. */
  isReported(error: unknown, stack: Stack | undefined, now: number): boolean {
    return stack !== undefined && this.#findReport(error, stack, now) !== undefined;
  }

  /** Forgets a report whose event is about to be replaced. */
  forget(eventId: string): void {
    this.#recentStacks.remove(eventId);
    this.#recentTexts.remove(eventId);
  }

  /** Marks an error in a worker thread, so that the parent thread's client doesn't report it again. */
  markForParentThread(error: unknown): void {
    const { isMainThread }: typeof import("node:worker_threads") = loadBuiltin("node:worker_threads");
    if (isMainThread || typeof error !== "object" || error === null) return;
    if (Object.isExtensible(error)) Object.defineProperty(error, threadMark, { value: true, enumerable: false });
  }

  /** Whether this is a copy of an error that a worker thread's client has reported. */
  isReportedByThread(error: unknown): boolean {
    return readProperty(error, threadMark) === true;
  }

  #known(error: object): KnownError {
    const known = this.#byError.of(error);
    if (known) return known;
    const added: KnownError = {};
    this.#byError.to(error, added);
    return added;
  }

  #findPrimitive(error: unknown, context: RequestContext): CapturedError | undefined {
    const last = this.#lastCaptured.get(context);
    return last && Object.is(last.error, error) ? last.captured : undefined;
  }

  #dedupeText({ id, message, timestamp: at }: WhenceEvent): string | undefined {
    const eventId = this.#recentStacks.findMentioned(message, recentAt(at))?.eventId;
    if (eventId === undefined) this.#recentTexts.add(message, { eventId: id, isLogged: true, isText: true, at });
    return eventId;
  }

  #findReport(error: unknown, stack: Stack, now: number): Report | undefined {
    const isRecent = recentAt(now);
    const report = isObject(error) ? this.#byError.of(error)?.report : undefined;
    return report && isRecent(report) ? report : this.#recentStacks.find(stack, error, isRecent);
  }

  #addReport(error: unknown, stack: Stack, report: Report): void {
    if (isObject(error)) this.#known(error).report = report;
    this.#recentStacks.add(stack, error, report);
  }

  #covers(report: Report, event: WhenceEvent, isLogged: boolean): boolean {
    if (report.isText) {
      this.#recentTexts.remove(report.eventId);
      return this.#events.supersede(report.eventId, event);
    }
    if (isLogged) return true;
    if (!report.isLogged) return false;
    this.#recentStacks.remove(report.eventId);
    return this.#events.supersede(report.eventId, event) || !isFatal(event);
  }
}

/**
 * Returns a predicate for reports that are recent at a time. It works in both directions, since a clock may be set
 * back.
 */
function recentAt(now: number): (report: Report) => boolean {
  return ({ at }) => Math.abs(now - at) <= dedupeWindowMs;
}

function isWithin(context: RequestContext, outer: RequestContext): boolean {
  for (let at: RequestContext | undefined = context; at; at = at.within?.deref()) if (at === outer) return true;
  return false;
}
