import { ClientScope } from "../core/client-scope.ts";
import type { WhenceEvent } from "../core/event.ts";
import type { EventSink, LeftOutReason } from "../core/event-capture.ts";
import { doctorAddress } from "../environment.ts";
import type { Heartbeats } from "../process/heartbeats.ts";
import { oneAtATime, timeSliced } from "../runtime/deferred-work.ts";
import type { InternalErrors } from "../runtime/guard.ts";
import { elapsedMs } from "../runtime/native-timers.ts";
import { never, waitAtMost } from "../runtime/wait-at-most.ts";
import * as sdkLimits from "../sdk-limits.ts";
import type { SourceContexts } from "../source/source-context.ts";
import type { ApproveEvent, BatchHeader, EncodeEvent } from "./batch.ts";
import { FileSender } from "./file-sender.ts";
import { deliverAllSync, type FinalDeliveryParts, postFilesSync } from "./final-delivery.ts";
import type { HttpSender } from "./http.ts";
import { EventQueue, type LostEvents } from "./queue.ts";
import { SpareDescriptors } from "./spare-descriptors.ts";
import { type SpoolPlace, spoolStateOf } from "./spool/spool-place.ts";
import { Spooling, type SpoolingParts } from "./spool/spooling.ts";
import { Transport, type TransportParts } from "./transport.ts";

export interface DeliveryParts {
  readonly sender: HttpSender;
  readonly sources: SourceContexts;
  readonly heartbeats: Pick<Heartbeats, "takeDue">;
  readonly internalErrors: InternalErrors;
  readonly encode: EncodeEvent;
  readonly approve: ApproveEvent;
  readonly header: () => BatchHeader;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Handles the service's answer to an accepted batch. */
  readonly onAnswer: (body: string) => void;
  /** Whether the service may have whole files of the program. */
  readonly sendsFiles: boolean;
  /** The spool's place, and what processes must have in common to send each other's events. */
  readonly spool: SpoolPlace & Pick<SpoolingParts, "service">;
}

/**
 * Queues events and sends them: every few seconds, early when many are queued, and synchronously when the process ends.
 */
export class Delivery implements EventSink {
  readonly #sender: HttpSender;
  readonly #heartbeats: Pick<Heartbeats, "takeDue">;
  readonly #internalErrors: InternalErrors;
  readonly #parts: TransportParts & FinalDeliveryParts;
  readonly #queue: EventQueue;
  readonly #transport: Transport;
  readonly #spool: SpoolPlace;
  readonly #spooling: Spooling | undefined;
  readonly #spare = new SpareDescriptors();
  readonly #files: FileSender | undefined;
  /** Created by `init`, so that work started in it keeps no request's context alive. */
  readonly #scope = new ClientScope();
  readonly #sendNextTurn = oneAtATime(() => this.send());
  readonly printCausesSoon: () => void;

  constructor({ heartbeats, internalErrors, spool, sendsFiles, ...parts }: DeliveryParts) {
    this.#sender = parts.sender;
    this.#heartbeats = heartbeats;
    this.#internalErrors = internalErrors;
    this.#queue = new EventQueue((event) => this.#spooling?.keeps(event) ?? false, parts.sources.lost);
    this.#parts = {
      ...parts,
      queue: this.#queue,
      elapsed: elapsedMs,
      random: Math.random,
      post: (json) => parts.sender.post(json),
      onAnswer: (body, hasException) => {
        void this.#files?.answered(body, hasException);
        parts.onAnswer(body);
      },
    };
    // The doctor has no use for files.
    if (sendsFiles && doctorAddress() === undefined) {
      this.#files = new FileSender({
        header: parts.header,
        clock: parts.clock,
        elapsed: elapsedMs,
        random: Math.random,
        onInternalError: internalErrors.add,
        postBatch: (json) => parts.sender.post(json),
        postFiles: (json) => parts.sender.post(json, parts.sender.filesUrl),
        postFilesSync: (json, waitMs) => postFilesSync(parts.sender, json, waitMs),
      });
    }
    this.#transport = new Transport(this.#parts);
    this.#spool = spool;
    const { folder, service } = spool;
    // Events that the doctor intercepts would never be sent.
    if (folder !== undefined && doctorAddress() === undefined) {
      const onLost = (seqs: readonly number[]): void => this.#queue.noteLost(seqs);
      this.#spooling = new Spooling({ ...this.#parts, folder, service, onLost });
    }
    const printNewest = internalErrors.guard(() => {
      this.#sendEarly();
      return this.#queue.printNewest();
    }, false);
    this.printCausesSoon = timeSliced(printNewest, () => this.#queue.printingMs);
  }

  /** Events dropped so far, by reason. */
  get lost(): LostEvents {
    return this.#queue.lostByReason;
  }

  /** Whether events are queued. */
  get hasEvents(): boolean {
    return this.#queue.size > 0;
  }

  /** Whether the service has accepted anything from this process. */
  get hasDelivered(): boolean {
    return this.#transport.hasDelivered;
  }

  /**
   * Prepares for the end of the process, and starts sending what an earlier process left. Returns a function that
   * undoes that.
   */
  start(): () => void {
    const stopSpooling = this.#spooling?.start();
    const releaseSpare = this.#spare.hold();
    return () => {
      this.#files?.stop();
      stopSpooling?.();
      releaseSpare();
    };
  }

  /** Sends queued events. Called once per flush interval. */
  tick(): void {
    void this.send();
    void this.#spooling?.tick();
  }

  /** Rewrites the spool, after the process's names or its rules for outgoing data changed. */
  rewriteSpool(): void {
    void this.#spooling?.rewrite();
  }

  add(event: WhenceEvent): void {
    const numbered = this.#queue.add(event);
    this.#spooling?.add(numbered);
    this.#sendEarly();
  }

  addFailed(): void {
    this.#queue.addLost("internal_error");
  }

  addLeftOut(reason: LeftOutReason): void {
    this.#queue.addLeftOut(reason);
  }

  change(eventId: string, changes: Pick<WhenceEvent, "level" | "mechanism">): boolean {
    return this.#queue.change(eventId, changes);
  }

  supersede(eventId: string, event: WhenceEvent): boolean {
    return this.#queue.supersede(eventId, event);
  }

  /**
   * Sends queued events. Resolves to true when nothing was lost since the last flush, and everything arrived within
   * `timeoutMs`.
   */
  async flush(timeoutMs: number = sdkLimits.flushTimeoutMs): Promise<boolean> {
    const hasArrived = await this.deliver(timeoutMs);
    return this.#queue.takeNewlyLost() === 0 && hasArrived;
  }

  /**
   * Sends queued events. Resolves to true when all of them arrived within `timeoutMs`. Keeps the process alive
   * meanwhile.
   */
  async deliver(timeoutMs: number): Promise<boolean> {
    const until = this.#queue.lastSeq;
    // Monotonic: if a wall clock is set back, this must not wait forever.
    const deadline = elapsedMs() + timeoutMs;
    let remaining = timeoutMs;
    while (remaining > 0) {
      await waitAtMost(remaining, this.send(remaining === timeoutMs));
      if (this.#queue.hasSettled(until)) break;
      await waitAtMost(Math.min(remaining, this.#transport.retryInMs + 1), never);
      remaining = deadline - elapsedMs();
    }
    return this.#queue.hasSettled(until);
  }

  /** Sends queued events; with `atOnce`, without waiting for the backoff of a failed request. Never rejects. */
  async send(atOnce = false): Promise<void> {
    try {
      const { count: internalErrors } = this.#internalErrors;
      const spoolErrors = this.#spooling?.failures;
      const spoolState = () => spoolStateOf(this.#spool);
      const sentFiles = this.#files?.sent;
      const heartbeat = this.#heartbeats.takeDue({ internalErrors, spoolErrors, spoolState, sentFiles });
      if (heartbeat) this.#queue.add(heartbeat);
      const { drain, drainAtOnce } = this.#transport;
      await this.#scope.runInAsyncScope(atOnce ? drainAtOnce : drain, this.#transport);
      if (this.#transport.retryInMs === 0) await this.#spooling?.settled();
    } catch (error) {
      this.#internalErrors.add(error);
    }
  }

  /** Saves queued events to disk, then sends them: the process may end before it runs any other code. */
  rescue(): void {
    this.#spooling?.rescue(this.#queue.all());
    void this.send();
  }

  /** Adds the last event of a client that is stopping, if it had any before, and starts sending. */
  finish(exit: () => WhenceEvent): void {
    if (this.#isUsed) this.#queue.add(exit());
    void this.send(true);
  }

  /** Adds the last event of an exiting process, and blocks until everything is sent. */
  finishSync(exit: () => WhenceEvent): void {
    if (!this.#isUsed) return;
    const hasFailures = this.#queue.all().some(({ type }) => type === "exception" || type === "log");
    // The files were asked for because of a failure, which may be sent by now: `await flush(); process.exit(1)`.
    const isLong = hasFailures || this.#files?.isAsked === true;
    this.#queue.add(exit());
    this.sendSync(isLong ? sdkLimits.crashWaitMs : sdkLimits.exitWaitMs);
  }

  /**
   * Blocks until everything is sent, and the files that the service asks for. Events that can't be sent are left in the
   * spool, if there is one. Returns false when events are lost.
   */
  sendSync(waitMs: number): boolean {
    const endsAt = elapsedMs() + waitMs;
    this.#spare.release();
    const deliver = this.#internalErrors.guard(() => deliverAllSync(this.#parts, waitMs), undefined);
    // A process that can't start a thread can still write.
    const { unsent, answer } = deliver() ?? { unsent: this.#queue.all(), answer: "" };
    if (unsent.length > 0) return this.#spooling?.leave(unsent, this.#queue.dropped()) ?? false;
    this.#spooling?.removeSync();
    this.#internalErrors.guard(() => this.#files?.sendSync(answer, endsAt - elapsedMs()), undefined)();
    return true;
  }

  /** Closes the spool and the connections, once the files that the service asks for are sent, at most `waitMs` later. */
  async close(waitMs: number): Promise<void> {
    const sending = this.#files?.sending;
    if (sending !== undefined) await waitAtMost(waitMs, sending);
    await this.#spooling?.close();
    this.#sender.close();
  }

  get #isUsed(): boolean {
    return this.#transport.hasDelivered || this.#queue.size > 0;
  }

  /** Sends early in a burst, which would overflow the queue before the next flush. */
  #sendEarly(): void {
    if (this.#queue.isWorthSending && this.#transport.retryInMs === 0) this.#sendNextTurn();
  }
}
