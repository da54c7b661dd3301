import { isNativeError } from "node:util/types";
import { limits } from "@whence/protocol/limits";
import { attachment } from "../../runtime/attachment.ts";
import { isFatal, type WhenceEvent } from "../event.ts";
import type { Stack } from "../stack.ts";

/** The event that reported an error. */
interface Report {
  readonly eventId: string;
  /** Whether a log record reported it. */
  readonly isLogged: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface StackReport extends Report {
  readonly stack: Stack;
  /** Whether the stack is that of the error itself, not of its printed or serialized form. */
  readonly isItself: boolean;
}

/** Stacks that the next report is compared with. */
const stacksMax = 20;
/** A failure is logged and captured at about the same time; later, an equal stack is another failure. */
const dedupeWindowMs: number = limits.flushIntervalMs;

/**
 * Dedupes errors across loggers and captures: an error that is logged and then rethrown, captured, or logged again is
 * one event. Matches by the error itself or, for an error that was logged as text, by its printed stack. Two error
 * objects with equal stacks are two errors.
 */
export class RecentReports {
  readonly #supersede: (eventId: string, event: WhenceEvent) => boolean;
  readonly #byError = attachment<Report>();
  readonly #stacks: StackReport[] = [];

  /** `supersede` replaces an event that is still queued; it returns false when that event has left the queue. */
  constructor(supersede: (eventId: string, event: WhenceEvent) => boolean) {
    this.#supersede = supersede;
  }

  /**
   * Returns the id of the event that reports this error already, so this one must not be sent; undefined when there is
   * none. A captured error replaces a logged one; a crash is reported even when the logged one has left the queue.
   */
  dedupe(event: WhenceEvent, error: unknown): string | undefined {
    const stack = event.thrown?.[0]?.stack;
    if (stack === undefined) return undefined;
    const isLogged = event.type === "log";
    const at = event.timestamp;
    const report = this.#find(error, stack, at);
    const eventId = report && this.#covers(report, event, isLogged) ? report.eventId : undefined;
    if (eventId === undefined || !isLogged) {
      this.#remember(error, stack, { eventId: eventId ?? event.id, isLogged, at });
    }
    return eventId;
  }

  #covers(report: Report, event: WhenceEvent, isLogged: boolean): boolean {
    if (isLogged) return true;
    if (!report.isLogged) return false;
    const index = this.#stacks.findIndex(({ eventId }) => eventId === report.eventId);
    if (index !== -1) this.#stacks.splice(index, 1);
    return this.#supersede(report.eventId, event) || !isFatal(event);
  }

  #find(error: unknown, stack: Stack, now: number): Report | undefined {
    // Either way: a clock that was set back must not make everything recent for hours.
    const isRecent = ({ at }: Report): boolean => Math.abs(now - at) <= dedupeWindowMs;
    const known = isObject(error) ? this.#byError.of(error) : undefined;
    if (known && isRecent(known)) return known;
    if (stack.calls.text === "") return undefined;
    const isItself = isNativeError(error);
    return this.#stacks.findLast(
      (report) =>
        isRecent(report) &&
        !(isItself && report.isItself) &&
        report.stack.calls.text === stack.calls.text &&
        report.stack.header === stack.header,
    );
  }

  #remember(error: unknown, stack: Stack, report: Report): void {
    if (isObject(error)) this.#byError.to(error, report);
    if (stack.calls.text === "") return;
    if (this.#stacks.length === stacksMax) this.#stacks.shift();
    this.#stacks.push({ ...report, stack, isItself: isNativeError(error) });
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
