import { isFailure } from "@whence/protocol/level";
import { readProperty } from "../runtime/read-property.ts";
import { type BreadcrumbRecorder, logBreadcrumb } from "./breadcrumb-recorder.ts";
import { type CaptureOptions, type Circumstances, exceptionEvent, logEvent, plainEvent } from "./create-event.ts";
import type { ReportedErrors } from "./dedupe/reported-errors.ts";
import type { Mechanism, WhenceEvent } from "./event.ts";
import { isLevel, type Level } from "./level.ts";
import type { LogMute } from "./log-mute.ts";
import { isRecordOf, type LogRecord, type RecordReader, recordReader, withPrintedError } from "./log-record.ts";
import type { Redaction } from "./redact.ts";
import type { RequestContext, RequestContexts } from "./request-context.ts";
import type { Scopes } from "./scope.ts";

/** Where captured events go. */
export interface EventSink {
  add(event: WhenceEvent): void;
  /** Changes an event that still waits; returns false when it doesn't. */
  change(eventId: string, changes: Pick<WhenceEvent, "level" | "mechanism">): boolean;
  /** Numbers an event that could not be made, so that its absence shows. */
  addFailed(): void;
  /** Prints the stacks of causes after the program has gone on. */
  printCausesSoon(): void;
}

export interface EventCaptureParts {
  readonly requests: RequestContexts;
  readonly scopes: Pick<Scopes, "factsFor">;
  readonly breadcrumbs: BreadcrumbRecorder;
  readonly reported: ReportedErrors;
  readonly sink: EventSink;
  readonly logMute: LogMute;
  readonly redaction: Redaction;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const byProgram: Mechanism = { type: "captureException", handled: true };

/** Turns errors, messages and log records into events, one for each failure, and hands them to the sink. */
export class EventCapture {
  readonly #parts: EventCaptureParts;

  constructor(parts: EventCaptureParts) {
    this.#parts = parts;
  }

  /** Captures an error of the program's. It is one event of its request, however often it is captured there. */
  exception(error: unknown, options: CaptureOptions = {}): string {
    const context = this.#parts.requests.current();
    const known = this.#parts.reported.findCaptured(error, context);
    // Outside of any request, a program that captures the same object twice means two occurrences.
    if (known && (context || known.context || !known.byProgram)) return known.eventId;
    return this.#error(error, byProgram, options, context);
  }

  /** Captures the error of a route or a job, unless it was captured before. */
  routeError(error: unknown, type: string, incoming: object | undefined): void {
    const { requests, reported } = this.#parts;
    const context = (incoming && requests.of(incoming)) ?? requests.current();
    if (!reported.findCaptured(error, context)) this.#error(error, { type, handled: true }, {}, context);
  }

  message(message: unknown, options: CaptureOptions = {}): string {
    const given = readProperty(options, "level");
    const attributes = readProperty(options, "attributes");
    const mechanism = { type: "captureMessage", handled: true };
    const level = isLevel(given) ? given : "info";
    return this.#enqueue(() => plainEvent("log", message, this.#circumstances(mechanism, level, attributes)));
  }

  /** Captures an error that the program did not catch; `survives` says whether the process goes on. */
  uncaught(error: unknown, type: "uncaughtException" | "unhandledRejection", survives: boolean): void {
    const { requests, reported, sink } = this.#parts;
    if (reported.isReportedByThread(error)) return;
    const context = requests.current() ?? requests.thatThrew(error);
    const known = reported.findCaptured(error, context);
    const level = survives ? "error" : "critical";
    const mechanism = { type, handled: false };
    // An event that was sent as handled can't be changed: then the crash is an event of its own.
    const isCovered = known && (survives || sink.change(known.eventId, { mechanism, level }));
    if (!isCovered) this.#error(error, mechanism, { level }, context);
  }

  /** Captures an error that ended a worker thread whose `error` event the program handles. */
  threadError(error: unknown): void {
    const { requests, reported } = this.#parts;
    if (reported.isReportedByThread(error)) return;
    this.#error(error, { type: "workerThread", handled: true }, {}, requests.current());
  }

  /** Captures a log record: an event for a failure that has none yet, a breadcrumb for everything else. */
  log(make: (reader: RecordReader) => LogRecord): void {
    const { requests, breadcrumbs, logMute, redaction, clock } = this.#parts;
    if (logMute.isMuted) return;
    logMute.during(() => {
      const record = withPrintedError(make(recordReader));
      const passedOver = requests.current()?.passedOver;
      if (isFailure(record.level) && !isRecordOf(record, passedOver)) this.#failure(record);
      else breadcrumbs.record(logBreadcrumb(record, clock(), redaction));
    });
  }

  #error(error: unknown, mechanism: Mechanism, options: CaptureOptions, context: RequestContext | undefined): string {
    const given = readProperty(options, "level");
    const attributes = readProperty(options, "attributes");
    const level = isLevel(given) ? given : "error";
    const make = () => exceptionEvent(error, this.#circumstances(mechanism, level, attributes, context));
    const eventId = this.#enqueue(make, error);
    this.#parts.reported.addCaptured(error, { eventId, context, byProgram: mechanism === byProgram });
    return eventId;
  }

  #failure(record: LogRecord): void {
    const { logger, level, error, fields } = record;
    this.#enqueue(() => logEvent(record, this.#circumstances({ type: logger, handled: true }, level, fields)), error);
  }

  #circumstances(
    mechanism: Mechanism,
    level: Level,
    attributes: unknown,
    context: RequestContext | undefined = this.#parts.requests.current(),
  ): Circumstances {
    const { breadcrumbs, scopes, redaction, clock } = this.#parts;
    return {
      ...{ now: clock(), mechanism, level, attributes, context, redaction },
      facts: scopes.factsFor(context),
      processTrail: breadcrumbs.processTrail(),
    };
  }

  /** Returns the id of the event that reports this: a new one, or the one that did before. */
  #enqueue(make: () => WhenceEvent, error?: unknown): string {
    const { reported, sink } = this.#parts;
    try {
      const event = make();
      const known = reported.dedupe(event, error);
      sink.printCausesSoon();
      if (known === undefined) sink.add(event);
      return known ?? event.id;
    } catch (error) {
      sink.addFailed();
      throw error;
    }
  }
}
