import { isFailure } from "@whence/protocol/level";
import { readProperty } from "../runtime/read-property.ts";
import { uuidv7 } from "../runtime/uuid.ts";
import { type BreadcrumbRecorder, logBreadcrumb } from "./breadcrumb-recorder.ts";
import { causeChain, preview } from "./cause-chain.ts";
import { type CaptureOptions, type Circumstances, exceptionEvent, logEvent, messageEvent } from "./create-event.ts";
import { PrintedLines } from "./dedupe/printed-lines.ts";
import type { ReportedErrors } from "./dedupe/reported-errors.ts";
import type { Mechanism, WhenceEvent } from "./event.ts";
import type { EventRules } from "./event-rules.ts";
import { isIgnored, isIgnoredText } from "./ignored-errors.ts";
import { type Level, type LevelName, levelNamed } from "./level.ts";
import type { LogMute } from "./log-mute.ts";
import { isRecordOf, type LogRecord, type RecordReader, recordReader, withPrintedError } from "./log-record.ts";
import type { Redaction } from "./redact.ts";
import type { RequestContext, RequestContexts } from "./request-context.ts";
import type { Scopes } from "./scope.ts";

/** Why the program's options exclude an event. */
export type LeftOutReason = "ignored" | "sampled_out";

/** The destination of captured events. */
export interface EventSink {
  add(event: WhenceEvent): void;
  /** Changes a queued event; returns false when it isn't queued. */
  change(eventId: string, changes: Pick<WhenceEvent, "level" | "mechanism">): boolean;
  /** Replaces a queued event; returns false when it isn't queued. */
  supersede(eventId: string, event: WhenceEvent): boolean;
  /** Numbers an event that couldn't be created, so that the loss is visible. */
  addFailed(): void;
  /** Numbers an event that the program's options exclude. */
  addLeftOut(reason: LeftOutReason): void;
  /** Schedules printing the stacks of causes after the current code. */
  printCausesSoon(): void;
}

export interface EventCaptureParts {
  readonly requests: RequestContexts;
  readonly scopes: Pick<Scopes, "factsFor">;
  readonly breadcrumbs: BreadcrumbRecorder;
  readonly reported: ReportedErrors;
  readonly sink: EventSink;
  readonly logMute: LogMute;
  readonly rules: Pick<EventRules, "ignoreErrors" | "sampleRate">;
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly redaction: Redaction;
  /** Returns what was seen at watched places in a request or job. */
  readonly watched: (context: RequestContext | undefined) => WhenceEvent["watched"];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const byProgram: Mechanism = { type: "captureException", handled: true };
const messageMechanism = "captureMessage";

/** Converts errors, messages, and log records to events, one for each failure, and passes them to the sink. */
export class EventCapture {
  readonly #parts: EventCaptureParts;
  readonly #printed = new PrintedLines();

  constructor(parts: EventCaptureParts) {
    this.#parts = parts;
  }

  /**
   * Captures an error for the program. Captured several times in one request, it is one event. `caller` has the stack
   * of the call, which is used for a value without a stack.
   */
  exception(error: unknown, options: CaptureOptions | LevelName = {}, caller?: object | undefined): string {
    const context = this.#parts.requests.current();
    const known = this.#parts.reported.findCaptured(error, context);
    // Outside of any request, capturing the same object twice means two occurrences.
    if (known && (context || known.context || !known.byProgram)) return known.eventId;
    return this.#error(error, byProgram, options, context, caller);
  }

  /** Captures the error of a route or a job, unless it was captured before. */
  routeError(error: unknown, type: string, incoming: object | undefined): void {
    const { requests, reported } = this.#parts;
    const context = (incoming && requests.of(incoming)) ?? requests.current();
    if (!reported.findCaptured(error, context)) this.#error(error, { type, handled: true }, {}, context);
  }

  /** Whether an event of this request has reported this error, captured or just logged. */
  isReported(error: unknown, incoming: object): boolean {
    const { requests, reported, redaction, clock } = this.#parts;
    if (reported.findCaptured(error, requests.of(incoming))) return true;
    return reported.isReported(error, causeChain(error, redaction)[0]?.stack, clock());
  }

  /** Captures a message. `caller` has the stack of the call. */
  message(message: unknown, options: CaptureOptions | LevelName = {}, caller?: object | undefined): string {
    const { level = "info", attributes } = read(options);
    const mechanism = { type: messageMechanism, handled: true };
    const reason = this.#reasonToLeaveOut(mechanism, level, (ignored) => isIgnoredText(preview(message), ignored));
    if (reason) return this.#leaveOut(reason);
    return this.#enqueue(() => messageEvent(message, this.#circumstances(mechanism, level, attributes), caller))
      .eventId;
  }

  /** Captures an error that the program didn't catch; `survives` says whether the process continues. */
  uncaught(error: unknown, type: "uncaughtException" | "unhandledRejection", survives: boolean): void {
    const { requests, reported, sink } = this.#parts;
    if (reported.isReportedByThread(error)) return;
    const context = requests.current() ?? requests.thatThrew();
    const known = reported.findCaptured(error, context);
    const level = survives ? "error" : "critical";
    const mechanism = { type, handled: false };
    // An event sent as handled can't be changed; the crash is then a separate event.
    const isCovered = known && (survives || sink.change(known.eventId, { mechanism, level }));
    if (!isCovered) this.#error(error, mechanism, { level }, context);
  }

  /** Captures an error that ended a worker thread, when the program handles the thread's `error` event. */
  threadError(error: unknown): void {
    const { requests, reported } = this.#parts;
    if (reported.isReportedByThread(error)) return;
    this.#error(error, { type: "workerThread", handled: true }, {}, requests.current());
  }

  /** Captures a log record: as an event when it is a failure without one, otherwise as a breadcrumb. */
  log(make: (reader: RecordReader) => LogRecord): void {
    const { requests, breadcrumbs, logMute, redaction, clock } = this.#parts;
    if (logMute.isMuted) return;
    logMute.during(() => {
      const record = withPrintedError(make(recordReader));
      const passedOver = requests.current()?.passedOver;
      // Skips empty lines, which only separate output.
      if (record.logger === "console" && record.message.trim() === "" && record.error === undefined) return;
      const isReported = isFailure(record.level) && !isRecordOf(record, passedOver) && this.#failure(record);
      if (!isReported) breadcrumbs.record(logBreadcrumb(record, clock(), redaction));
    });
  }

  #error(
    error: unknown,
    mechanism: Mechanism,
    options: CaptureOptions | LevelName,
    context: RequestContext | undefined,
    caller?: object | undefined,
  ): string {
    const { level = "error", attributes } = read(options);
    const reason = this.#reasonToLeaveOut(mechanism, level, (ignored) => isIgnored(error, ignored));
    const make = () => exceptionEvent(error, this.#circumstances(mechanism, level, attributes, context), caller);
    const eventId = reason ? this.#leaveOut(reason) : this.#enqueue(make, error).eventId;
    const leftOutAt = reason && this.#parts.clock();
    this.#parts.reported.addCaptured(error, { eventId, context, byProgram: mechanism === byProgram, leftOutAt });
    return eventId;
  }

  /** Whether the program's options exclude a log record, or excluded the error in it. */
  #leavesRecordOut({ error, message, logger, level }: LogRecord): boolean {
    const { reported, requests, clock } = this.#parts;
    const context = requests.current();
    const known = error === undefined ? undefined : reported.findCaptured(error, context);
    if (known) return reported.isLeftOut(known, clock());
    const reason = this.#reasonToLeaveOut({ type: logger, handled: true }, level, (ignored) => {
      return isIgnoredText(message, ignored) || (error !== undefined && isIgnored(error, ignored));
    });
    if (!reason) return false;
    const eventId = this.#leaveOut(reason);
    if (error !== undefined) reported.addCaptured(error, { eventId, context, byProgram: false, leftOutAt: clock() });
    return true;
  }

  /** Returns why an event is excluded. An error that ends the process never is, and uncaught errors aren't sampled. */
  #reasonToLeaveOut(
    { handled }: Mechanism,
    level: Level,
    ignores: (ignored: EventRules["ignoreErrors"]) => boolean,
  ): LeftOutReason | undefined {
    const { rules, random } = this.#parts;
    const endsProcess = !handled && level === "critical";
    if (!endsProcess && ignores(rules.ignoreErrors)) return "ignored";
    return handled && rules.sampleRate < 1 && random() >= rules.sampleRate ? "sampled_out" : undefined;
  }

  /** Returns an id as if for an event, so that the caller needs no special case. */
  #leaveOut(reason: LeftOutReason): string {
    const { sink, clock } = this.#parts;
    sink.addLeftOut(reason);
    return uuidv7(clock());
  }

  /** Reports a logged failure, or adds a line to one; returns false when the program's options exclude it. */
  #failure(record: LogRecord): boolean {
    const { requests } = this.#parts;
    const [context, at] = [requests.current(), this.#parts.clock()];
    const continued = this.#printed.continued(record, context, at);
    if (continued?.record) this.#continue(continued.eventId, continued.record, at);
    if (continued) return true;
    const isLeftOut = this.#leavesRecordOut(record);
    const { eventId, isNew } = isLeftOut
      ? { eventId: "", isNew: false }
      : this.#enqueue(() => this.#logged(record), record.error);
    this.#printed.note({ record, eventId, isOwn: isNew, context, at });
    return !isLeftOut;
  }

  /** Replaces the event of a failure that was printed line by line. An event that has left the queue isn't changed. */
  #continue(eventId: string, whole: LogRecord, at: number): void {
    const { requests, sink, reported } = this.#parts;
    const event = { ...this.#logged(whole), id: eventId };
    reported.forget(eventId);
    const known = reported.dedupe(event, whole.error);
    sink.supersede(eventId, event);
    this.#printed.note({ record: whole, eventId, isOwn: known === undefined, context: requests.current(), at });
  }

  #logged(record: LogRecord): WhenceEvent {
    const { logger, level, fields } = record;
    return logEvent(record, this.#circumstances({ type: logger, handled: true }, level, fields));
  }

  #circumstances(
    mechanism: Mechanism,
    level: Level,
    attributes: unknown,
    context: RequestContext | undefined = this.#parts.requests.current(),
  ): Circumstances {
    const { breadcrumbs, scopes, redaction, watched, clock } = this.#parts;
    return {
      now: clock(),
      mechanism,
      level,
      attributes,
      context,
      redaction,
      facts: scopes.factsFor(context),
      watched: watched(context),
      processTrail: breadcrumbs.processTrail(),
    };
  }

  /** Returns the id of the event that reports this, and whether it is new rather than an earlier report of `error`. */
  #enqueue(make: () => WhenceEvent, error?: unknown): { readonly eventId: string; readonly isNew: boolean } {
    const { reported, sink } = this.#parts;
    try {
      const event = make();
      // The same message twice means two messages.
      const known = event.mechanism.type === messageMechanism ? undefined : reported.dedupe(event, error);
      sink.printCausesSoon();
      if (known === undefined) sink.add(event);
      return { eventId: known ?? event.id, isNew: known === undefined };
    } catch (error) {
      sink.addFailed();
      throw error;
    }
  }
}

/** Reads the options of a capture, or a level's name in their place. */
function read(options: unknown): { readonly level: Level | undefined; readonly attributes: unknown } {
  const level = levelNamed(typeof options === "string" ? options : readProperty(options, "level"));
  return { level, attributes: readProperty(options, "attributes") };
}
