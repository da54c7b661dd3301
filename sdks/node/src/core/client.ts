import { isFailure } from "@whence/protocol/level";
import { limits } from "@whence/protocol/limits";
import { deliverAllSync, type FinalDeliveryParts } from "../delivery/final-delivery.ts";
import { HttpSender } from "../delivery/http.ts";
import { EventQueue, type LostEvents } from "../delivery/queue.ts";
import { SpareDescriptors } from "../delivery/spare-descriptors.ts";
import { Spooling } from "../delivery/spool/spooling.ts";
import { Transport, type TransportParts } from "../delivery/transport.ts";
import { incomingHttp } from "../instrumentations/incoming-http.ts";
import type { Instrumentation } from "../instrumentations/instrumentation.ts";
import { OutgoingCall } from "../instrumentations/outgoing-call.ts";
import type { Options } from "../options.ts";
import { HangWatch } from "../process/hang-watch.ts";
import { Heartbeats } from "../process/heartbeats.ts";
import { processDescription } from "../process/process-description.ts";
import { oneAtATime, timeSliced } from "../runtime/deferred-work.ts";
import { guarded } from "../runtime/guard.ts";
import { toJson } from "../runtime/json.ts";
import { elapsedMs, nativeTimers } from "../runtime/native-timers.ts";
import { readProperty } from "../runtime/read-property.ts";
import { never, waitAtMost } from "../runtime/wait-at-most.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { SourceContexts } from "../source/source-context.ts";
import { type Breadcrumb, BreadcrumbRing } from "./breadcrumbs.ts";
import {
  type BreadcrumbInput,
  type CaptureOptions,
  type Circumstances,
  exceptionEvent,
  logBreadcrumb,
  logEvent,
  manualBreadcrumb,
  plainEvent,
} from "./capture.ts";
import { ClientScope } from "./client-scope.ts";
import { CapturedErrors } from "./dedupe/captured-errors.ts";
import { RecentReports } from "./dedupe/recent-reports.ts";
import { markReported, wasReportedByThread } from "./dedupe/thread-reports.ts";
import type { Mechanism, WhenceEvent } from "./event.ts";
import { EventEncoder } from "./event-encoder.ts";
import { isLevel, type Level } from "./level.ts";
import { type LogRecord, type RecordReader, recordReader, tellsOf, withPrintedError } from "./log-record.ts";
import { type Redaction, redactionOf } from "./redact.ts";
import { type IncomingRequest, type RequestContext, RequestContexts, ringOf } from "./request-context.ts";

const handled = { type: "captureException", handled: true };

/** One process under watch: owns the parts, starts and stops them. */
export class Client {
  readonly requests = new RequestContexts();
  readonly sender: HttpSender;
  #internalErrors = 0;
  readonly #countInternalError = (): void => {
    this.#internalErrors += 1;
  };
  readonly #clock: () => number;
  readonly #redaction: Redaction;
  readonly #sources = new SourceContexts();
  readonly #queue = new EventQueue((event) => this.#spooling?.keeps(event) ?? false, this.#sources.lost);
  readonly #sendNextTurn = oneAtATime(() => this.#send());
  readonly #printCauses = timeSliced(
    this.guard(() => {
      this.#sendEarly();
      return this.#queue.printNewest();
    }, false),
    () => this.#queue.printingMs,
  );
  readonly #transport: Transport;
  readonly #ring = new BreadcrumbRing();
  readonly #heartbeats: Heartbeats;
  readonly #hangs: HangWatch | undefined;
  /** Made by `init`: what is started in its scope does not keep the context of some request alive. */
  readonly #scope = new ClientScope();
  readonly #captured = new CapturedErrors();
  readonly #recentReports = new RecentReports((id, event) => this.#queue.supersede(id, event));
  readonly #encoder: EventEncoder;
  /** What those need who send, each in their way. */
  readonly #parts: TransportParts & FinalDeliveryParts;
  readonly #spooling: Spooling | undefined;
  readonly #spare = new SpareDescriptors();
  /** Whether a log record, or the program's `beforeSend`, is being worked on: what that prints tells nothing new. */
  #isListening = true;
  /** Whether pino tells of its records itself, so that a stream of ours has nothing to add. */
  hearsPino = false;
  readonly #stops: (() => void)[] = [];
  #incoming: (() => void) | undefined;
  #isDying = false;

  constructor(options: Options, clock: () => number = Date.now) {
    this.#clock = clock;
    this.#redaction = redactionOf(options.redact);
    this.#heartbeats = new Heartbeats(clock, this.#redaction);
    const { beforeSend, spool, endpoint, service, env, hangWatch } = options;
    this.#encoder = new EventEncoder({
      sources: this.#sources,
      redaction: this.#redaction,
      beforeSend: beforeSend && ((event) => this.#unheard(() => beforeSend(event))),
      onInternalError: this.#countInternalError,
    });
    this.sender = new HttpSender(options.endpoint, options.apiKey);
    this.#parts = {
      ...{ queue: this.#queue, sources: this.#sources, sender: this.sender, header: processDescription(options) },
      ...{ clock, elapsed: elapsedMs, random: Math.random },
      encode: (event, withSource) => this.#encoder.encode(event, withSource),
      post: (json) => this.sender.post(json),
    };
    this.#transport = new Transport(this.#parts);
    if (hangWatch) this.#hangs = new HangWatch();
    if (spool !== undefined) {
      const onLost = (seqs: readonly number[]): void => this.#queue.noteLost(seqs);
      this.#spooling = new Spooling({ ...this.#parts, path: spool, service: [endpoint, service, env], onLost });
    }
  }

  /** Begins to watch and to send. */
  start(instrumentations: readonly Instrumentation[]): void {
    for (const instrumentation of instrumentations) this.#stops.push(instrumentation.start(this));
    if (this.#spooling) this.#stops.push(this.#spooling.start());
    const tick = this.guard(() => {
      this.#heartbeats.tick();
      this.requests.tick();
      void this.#send();
      void this.#spooling?.tick();
      this.#watchForHangs();
    }, undefined);
    const timer = nativeTimers.setInterval(tick, limits.flushIntervalMs).unref();
    this.#stops.push(this.#spare.hold(), () => {
      this.#heartbeats.stop();
      this.#hangs?.stop();
      nativeTimers.clearInterval(timer);
    });
  }

  /** {@link guarded}, with this client's count of its own failures. */
  guard<Arguments extends readonly unknown[], Result>(
    run: (...args: Arguments) => Result,
    fallback: Result,
  ): (...args: Arguments) => Result {
    return guarded(run, fallback, this.#countInternalError);
  }

  /** An error is one event of its request, however often it is captured there. */
  captureException(error: unknown, options: CaptureOptions = {}): string {
    const context = this.requests.current();
    const known = this.#captured.find(error, context);
    // Outside of any request a program that captures the same object twice means two occurrences.
    if (known && (context || known.context || !known.byProgram)) return known.eventId;
    return this.#captureError(error, handled, options, context);
  }

  /** The error of a route, or of a job, unless it was captured before. */
  captureRouteError(error: unknown, type: string, incoming: object | undefined): void {
    const context = (incoming && this.requests.of(incoming)) ?? this.requests.current();
    if (!this.#captured.find(error, context)) this.#captureError(error, { type, handled: true }, {}, context);
  }

  /** Events given up so far. */
  get lost(): LostEvents {
    return this.#queue.lostByReason;
  }

  /** Whether something waits to be sent. */
  get hasEvents(): boolean {
    return this.#queue.size > 0;
  }

  captureMessage(message: unknown, options: CaptureOptions = {}): string {
    const given = readProperty(options, "level");
    const attributes = readProperty(options, "attributes");
    const mechanism = { type: "captureMessage", handled: true };
    const level = isLevel(given) ? given : "info";
    return this.#enqueue(() => plainEvent("log", message, this.#circumstances(mechanism, level, attributes)));
  }

  /** An error that nobody caught. When the program won't survive it, it is sent before this returns. */
  captureUncaught(error: unknown, type: "uncaughtException" | "unhandledRejection", survives: boolean): void {
    const context = this.requests.current() ?? this.requests.thatThrew(error);
    const known = this.#captured.find(error, context);
    const level = survives ? "error" : "critical";
    const mechanism = { type, handled: false };
    // A thread's error that the thread has reported may still end the thread that started it.
    if (!wasReportedByThread(error)) {
      // What was thought to be dealt with and has been sent can't be changed: then the end is an event of its own.
      const stands = known && (survives || this.#queue.change(known.eventId, { mechanism, level }));
      if (!stands) this.#captureError(error, mechanism, { level }, context);
    }
    if (survives) {
      // Its listeners may still end the program, in ways that let it run no more code.
      this.#spooling?.rescue(this.#queue.all());
      void this.#send();
    } else {
      this.#isDying = true;
      if (this.#sendSync(sdkLimits.crashWaitMs)) markReported(error);
    }
  }

  /** An error that ended a thread, and that the program listens for in the thread which started it. */
  captureThreadError(error: unknown): void {
    if (wasReportedByThread(error)) return;
    this.#captureError(error, { type: "workerThread", handled: true }, {}, this.requests.current());
  }

  /** A record of a logger: an event when it tells of a failure that has none yet, else a breadcrumb. */
  captureLog(make: (reader: RecordReader) => LogRecord): void {
    if (!this.#isListening) return;
    this.#unheard(() => {
      const record = withPrintedError(make(recordReader));
      const passedOver = this.requests.current()?.passedOver;
      if (isFailure(record.level) && !tellsOf(record, passedOver)) this.#captureFailure(record);
      else this.#leave(logBreadcrumb(record, this.#clock(), this.#redaction));
    });
  }

  addBreadcrumb(input: BreadcrumbInput): void {
    this.#leave(manualBreadcrumb(input, this.#clock(), this.#redaction));
  }

  /** An outgoing request has started. */
  beginCall(method: string, url: string): OutgoingCall {
    const call = new OutgoingCall(this.#currentRing(), this.#clock(), method, url);
    this.#heartbeats.breadcrumbs.add(call.breadcrumb);
    return call;
  }

  /** A server of this thread has answered a request. */
  countResponse(statusCode: number): void {
    this.#heartbeats.requests.add(statusCode);
  }

  /** A request has come in: `serve` serves it, as part of it. What `serve` returns or throws is the host's and passes. */
  serve<Result>(incoming: IncomingRequest, route: RequestContext["route"], serve: () => Result): Result {
    return this.requests.run(this.requests.open(incoming, this.#clock, route), serve);
  }

  /** A request has come in, and nobody knows yet what will serve it. */
  open(incoming: IncomingRequest): RequestContext {
    return this.requests.open(incoming, this.#clock, () => undefined);
  }

  /** Watches what the servers of this thread take in, from now on. */
  watchServers(): void {
    this.#incoming ??= incomingHttp.start(this);
  }

  /** Runs a job as a piece of work of its own; its events carry `attributes`. */
  runJob<Result>(job: Pick<RequestContext, "incoming" | "route" | "attributes" | "within">, run: () => Result): Result {
    return this.requests.run({ ...job, startedAt: this.#clock() }, run);
  }

  /** The process ends in order, or as its own crash handler wants. */
  exit(code: number): void {
    if (this.#isDying || (!this.#transport.hasDelivered && this.#queue.size === 0)) return;
    const tellsOfFailure = this.#queue.all().some(({ type }) => type === "exception" || type === "log");
    const wait = tellsOfFailure ? sdkLimits.crashWaitMs : sdkLimits.exitWaitMs;
    this.#queue.add(this.#heartbeats.exit({ exit_code: code }));
    this.#sendSync(wait);
  }

  /** Sends what waits. True when nothing since the last flush was lost, and all arrived within `timeoutMs`. */
  async flush(timeoutMs: number = sdkLimits.flushTimeoutMs): Promise<boolean> {
    const hasArrived = await this.deliver(timeoutMs);
    return this.#queue.takeNewlyLost() === 0 && hasArrived;
  }

  /** Sends what waits. True when it all arrived within `timeoutMs`, which an empty loop waits for too. */
  async deliver(timeoutMs: number): Promise<boolean> {
    const until = this.#queue.lastSeq;
    // Not the clock of the events: a wall clock that is set back must not make this wait for ever.
    const deadline = elapsedMs() + timeoutMs;
    let remaining = timeoutMs;
    while (remaining > 0) {
      await waitAtMost(remaining, this.#send(remaining === timeoutMs));
      if (this.#queue.hasSettled(until)) break;
      await waitAtMost(Math.min(remaining, this.#transport.retryInMs + 1), never);
      remaining = deadline - elapsedMs();
    }
    return this.#queue.hasSettled(until);
  }

  /** Stops everything that {@link start} started. What waits is sent, and nothing waits for that. */
  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#incoming?.();
    if (this.#transport.hasDelivered || this.#queue.size > 0) this.#queue.add(this.#heartbeats.exit({}));
    void this.#send(true);
  }

  /** {@link stop}, then {@link flush}. */
  async close(timeoutMs?: number): Promise<boolean> {
    this.stop();
    const delivered = await this.flush(timeoutMs);
    await this.#spooling?.close();
    this.sender.close();
    return delivered;
  }

  #captureError(
    error: unknown,
    mechanism: Mechanism,
    options: CaptureOptions,
    context: RequestContext | undefined,
  ): string {
    const given = readProperty(options, "level");
    const attributes = readProperty(options, "attributes");
    const level = isLevel(given) ? given : "error";
    const make = () => exceptionEvent(error, this.#circumstances(mechanism, level, attributes, context));
    const eventId = this.#enqueue(make, error);
    this.#captured.add(error, { eventId, context, byProgram: mechanism === handled });
    return eventId;
  }

  #captureFailure(record: LogRecord): void {
    const { logger, level, error, fields } = record;
    this.#enqueue(() => logEvent(record, this.#circumstances({ type: logger, handled: true }, level, fields)), error);
  }

  #circumstances(
    mechanism: Mechanism,
    level: Level,
    attributes: unknown,
    context: RequestContext | undefined = this.requests.current(),
  ): Circumstances {
    const processTrail = this.#ring.trail();
    return { now: this.#clock(), mechanism, level, attributes, context, processTrail, redaction: this.#redaction };
  }

  /** What `run` logs is not heard. */
  #unheard<Result>(run: () => Result): Result {
    const before = this.#isListening;
    this.#isListening = false;
    try {
      return run();
    } finally {
      this.#isListening = before;
    }
  }

  #enqueue(make: () => WhenceEvent, error?: unknown): string {
    try {
      const event = make();
      const known = this.#recentReports.dedupe(event, error);
      this.#printCauses();
      if (known !== undefined) return known;
      const numbered = this.#queue.add(event);
      this.#spooling?.add(numbered);
      this.#sendEarly();
      return event.id;
    } catch (error) {
      this.#queue.addLost("internal_error");
      throw error;
    }
  }

  #leave(breadcrumb: Breadcrumb): void {
    this.#currentRing().add(breadcrumb);
    this.#heartbeats.breadcrumbs.add(breadcrumb);
  }

  #currentRing(): BreadcrumbRing {
    const context = this.requests.current();
    return context ? ringOf(context) : this.#ring;
  }

  /** Five seconds are too long for what comes so fast that events would give way to it. */
  #sendEarly(): void {
    if (this.#queue.isWorthSending && this.#transport.retryInMs === 0) this.#sendNextTurn();
  }

  /** Never rejects. */
  async #send(atOnce = false): Promise<void> {
    try {
      const own = { internalErrors: this.#internalErrors, spoolErrors: this.#spooling?.failures };
      if (this.#heartbeats.isHeartbeatDue) this.#queue.add(this.#heartbeats.heartbeat(own));
      const { drain, drainAtOnce } = this.#transport;
      await this.#scope.runInAsyncScope(atOnce ? drainAtOnce : drain, this.#transport);
      if (this.#transport.retryInMs === 0) await this.#spooling?.settled();
    } catch {
      this.#countInternalError();
    }
  }

  /** The event loop has turned. What was never heard needs nobody to speak for it. */
  #watchForHangs(): void {
    this.#hangs?.turned();
    if (this.#hangs?.isWatching !== false || !this.#transport.hasDelivered) return;
    const { url, headers } = this.sender;
    this.#hangs.start({ url: url.href, headers, header: toJson(this.#parts.header()) });
  }

  /** Sends from a process whose event loop has ended; what can't be sent is left on disk, if it may. False: it is lost. */
  #sendSync(waitMs: number): boolean {
    this.#spare.release();
    // A process that may start no thread can still write.
    const unsent = this.guard(() => deliverAllSync(this.#parts, waitMs), undefined)() ?? this.#queue.all();
    if (unsent.length === 0) this.#spooling?.removeSync();
    else this.#spooling?.leave(unsent, this.#queue.dropped());
    return unsent.length === 0 || this.#spooling !== undefined;
  }
}
