import { limits } from "@whence/protocol/limits";
import { BreadcrumbReview } from "./core/before-breadcrumb.ts";
import { BreadcrumbRecorder } from "./core/breadcrumb-recorder.ts";
import type { RunningClient } from "./core/current-client.ts";
import { ReportedErrors } from "./core/dedupe/reported-errors.ts";
import { EventCapture } from "./core/event-capture.ts";
import { EventEncoder } from "./core/event-encoder.ts";
import { LogMute } from "./core/log-mute.ts";
import { type Redaction, redactionOf } from "./core/redact.ts";
import { type RequestContext, RequestContexts } from "./core/request-context.ts";
import { Scopes } from "./core/scope.ts";
import { Delivery } from "./delivery/delivery.ts";
import { HttpSender } from "./delivery/http.ts";
import { incomingHttp } from "./instrumentations/incoming-http.ts";
import type { Instrumentation, Recorder } from "./instrumentations/instrumentation.ts";
import { RequestEvents } from "./instrumentations/request-events.ts";
import { adoptable } from "./later-init.ts";
import { type InitOptions, isPrivateAddress, type Options, type Warn } from "./options.ts";
import { ExceptionPauses } from "./process/exception-pauses.ts";
import { HangWatch } from "./process/hang-watch.ts";
import { Heartbeats } from "./process/heartbeats.ts";
import { ProcessDescription } from "./process/process-description.ts";
import { InternalErrors } from "./runtime/guard.ts";
import { toJson } from "./runtime/json.ts";
import { elapsedMs, nativeTimers } from "./runtime/native-timers.ts";
import * as sdkLimits from "./sdk-limits.ts";
import { SourceContexts } from "./source/source-context.ts";
import { PlaceWatching } from "./watch/place-watching.ts";

/** Watches one thread: creates the parts, connects them, and starts and stops them. */
export class Client implements Recorder, RunningClient {
  readonly requests: RequestContexts;
  readonly requestEvents: RequestEvents;
  readonly scopes: Scopes;
  readonly breadcrumbs: BreadcrumbRecorder;
  readonly capture: EventCapture;
  readonly delivery: Delivery;
  readonly sender: HttpSender;
  readonly responses: Heartbeats["requests"];
  readonly guard: InternalErrors["guard"];
  readonly recordsDatabases: boolean;
  pinoPublishes = false;
  readonly #reported: ReportedErrors;
  readonly #heartbeats: Heartbeats;
  readonly #hangs: HangWatch | undefined;
  #watching: PlaceWatching | undefined;
  #pauses: ExceptionPauses | undefined;
  readonly #description: ProcessDescription;
  readonly #redaction: Redaction;
  readonly #onInternalError: (error: unknown) => void;
  #options: Options;
  readonly #stops: (() => void)[] = [];
  #stopWatchingServers: (() => void) | undefined;
  #isDying = false;

  constructor(options: Options, clock: () => number = Date.now, random: () => number = Math.random) {
    const { spool, endpoint, apiKey, hangWatch, source } = options;
    const redaction = redactionOf(options.redact, options.errorFields);
    const internalErrors = new InternalErrors();
    const logMute = new LogMute();
    const sources = new SourceContexts();
    const hooks = { rules: options.rules, redaction, logMute, onInternalError: internalErrors.add };
    const encoder = new EventEncoder({ ...hooks, apiKey, sources });
    this.guard = internalErrors.guard;
    this.#onInternalError = internalErrors.add;
    this.recordsDatabases = options.databases;
    this.#heartbeats = new Heartbeats(clock, redaction);
    this.#options = options;
    this.#redaction = redaction;
    this.#description = new ProcessDescription(options);
    this.responses = this.#heartbeats.requests;
    this.sender = new HttpSender(endpoint, apiKey);
    this.delivery = new Delivery({
      sender: this.sender,
      sources,
      heartbeats: this.#heartbeats,
      internalErrors,
      header: () => ({ ...this.#description.header(), ...(this.#watching && { watch: this.#watching.note }) }),
      onAnswer: this.guard((body) => this.#watching?.answered(body), undefined),
      clock,
      encode: (event, withSource) => encoder.encode(event, withSource && source !== "none"),
      approve: (event, withSource) => encoder.approve(event, withSource && source !== "none"),
      sendsFiles: source === "files",
      // The key is included: two organizations may have services with the same name on one machine.
      spool: { ...spool, service: () => [endpoint, apiKey, this.#options.service, this.#options.env] },
    });
    this.requests = new RequestContexts(clock);
    this.requestEvents = new RequestEvents(this.requests, this.guard);
    this.scopes = new Scopes(this.requests, redaction.data);
    const shared = { requests: this.requests, redaction, clock };
    this.breadcrumbs = new BreadcrumbRecorder({
      ...shared,
      review: new BreadcrumbReview(hooks),
      ofHeartbeat: this.#heartbeats.breadcrumbs,
    });
    this.#reported = new ReportedErrors(this.delivery);
    this.capture = new EventCapture({
      ...shared,
      breadcrumbs: this.breadcrumbs,
      reported: this.#reported,
      sink: this.delivery,
      logMute,
      scopes: this.scopes,
      rules: options.rules,
      watched: (context) => this.#watching?.seen(context),
      random,
    });
    if (hangWatch) this.#hangs = new HangWatch();
  }

  /** Starts watching and sending. */
  start(instrumentations: readonly Instrumentation[]): void {
    for (const instrumentation of instrumentations) this.#stops.push(instrumentation.start(this));
    this.#stops.push(this.delivery.start());
    const tick = this.guard(() => this.#tick(), undefined);
    const timer = nativeTimers.setInterval(tick, limits.flushIntervalMs).unref();
    this.#stops.push(() => {
      this.#heartbeats.stop();
      this.#hangs?.stop();
      nativeTimers.clearInterval(timer);
    });
  }

  /** Adopts the options of a later `init` that can change, and warns about the others. */
  adopt(given: InitOptions, warn: Warn): void {
    const { redact, rules, names } = adoptable(this.#options, given, this.delivery.hasDelivered, warn);
    this.#redaction.add(redact);
    Object.assign(this.#options.rules, rules);
    if (names !== undefined) {
      this.#options = { ...this.#options, ...names };
      this.#description.rename(this.#options);
    }
    this.delivery.rewriteSpool();
  }

  /** Starts recording local variables where errors are thrown; warns where this process can't. */
  recordVariables(warn: Warn): void {
    const pauses = new ExceptionPauses(this.#redaction, this.guard);
    const obstacle = pauses.start();
    if (obstacle !== undefined) warn(`localVariables is off: ${obstacle}`);
    this.#pauses = pauses;
    this.#stops.push(() => pauses.stop());
  }

  /** Lets the service order to watch places. */
  watchPlaces(tell: Warn): void {
    const { endpoint, watch } = this.#options;
    const trusted = typeof watch === "string" ? watch : undefined;
    const watching = new PlaceWatching({
      program: () => {
        const { service, env, release } = this.#description.header();
        return { service, env, release, trusted, trustsFirst: isPrivateAddress(endpoint) };
      },
      current: () => this.requests.current(),
      redaction: this.#redaction,
      guard: this.guard,
      tell,
      clock: Date.now,
      onInternalError: this.#onInternalError,
    });
    this.#watching = watching;
    this.requests.observer = {
      begin: this.guard((context) => watching.begin(context), undefined),
      end: this.guard((context) => watching.end(context), undefined),
    };
    this.#stops.push(() => watching.stop());
  }

  watchServers(route?: RequestContext["route"]): void {
    this.#stopWatchingServers ??= incomingHttp(route).start(this);
  }

  captureUncaught(error: unknown, type: "uncaughtException" | "unhandledRejection", survives: boolean): void {
    this.capture.uncaught(error, type, survives);
    if (survives) {
      this.delivery.rescue();
      return;
    }
    this.#isDying = true;
    if (this.delivery.sendSync(sdkLimits.crashWaitMs)) this.#reported.markForParentThread(error);
  }

  exit(code: number): void {
    if (!this.#isDying) this.delivery.finishSync(() => this.#heartbeats.exit({ exit_code: code }));
  }

  /** Stops everything that {@link start} started. Queued events are sent in the background. */
  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#stopWatchingServers?.();
    this.requestEvents.stop();
    this.delivery.finish(() => this.#heartbeats.exit({}));
  }

  /** Calls {@link stop}, then flushes. */
  async close(timeoutMs: number = sdkLimits.flushTimeoutMs): Promise<boolean> {
    const endsAt = elapsedMs() + timeoutMs;
    this.stop();
    const delivered = await this.delivery.flush(timeoutMs);
    // A program that shuts down has more to do than to wait for files as long as for its events.
    await this.delivery.close(Math.min(sdkLimits.crashWaitMs, Math.max(0, endsAt - elapsedMs())));
    return delivered;
  }

  #tick(): void {
    this.#heartbeats.tick();
    this.requests.tick();
    this.delivery.tick();
    this.#pauses?.tick();
    this.#watching?.tick();
    this.#watchForHangs();
  }

  /**
   * Called when the event loop has turned. Before the first delivery the service doesn't know this process, so hangs
   * aren't reported.
   */
  #watchForHangs(): void {
    this.#hangs?.turned();
    if (this.#hangs?.isWatching !== false || !this.delivery.hasDelivered) return;
    const { url, headers } = this.sender;
    this.#hangs.start({ url: url.href, headers, header: toJson(this.#description.header()) });
  }
}
