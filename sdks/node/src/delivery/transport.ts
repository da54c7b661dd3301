import type { Dropped } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import type { NumberedEvent } from "../core/event.ts";
import { trimJson } from "../core/trim-event.ts";
import { inTurns } from "../runtime/next-turn.ts";
import * as sdkLimits from "../sdk-limits.ts";
import type { SourceContexts } from "../source/source-context.ts";
import { BackOff, retryAfterMs } from "./back-off.ts";
import { type ApproveEvent, type BatchHeader, type EncodeEvent, eventsWithSource, Packing } from "./batch.ts";
import { badAddressStatuses, badBatchStatuses, isAccepted, refusedIndexes } from "./batch-response.ts";
import type { HttpResponse } from "./http.ts";
import type { EventQueue } from "./queue.ts";

export interface TransportParts {
  readonly queue: EventQueue;
  readonly sources: SourceContexts;
  readonly header: () => BatchHeader;
  readonly encode: EncodeEvent;
  readonly approve: ApproveEvent;
  readonly post: (json: Buffer) => Promise<HttpResponse>;
  /** Called with the answer to each accepted batch, and whether the batch has an exception. */
  readonly onAnswer?: (body: string, hasException: boolean) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** A random number in [0, 1), which spreads the retries of many processes. */
  readonly random: () => number;
}

/** A batch from its first attempt until it is settled: a retry sends the same bytes. */
interface BatchUnderWay {
  readonly json: Buffer;
  readonly events: number;
  readonly hasException: boolean;
}

/** Decides when to send, how to handle the response, and what to drop. One request is in flight at a time. */
export class Transport {
  readonly #parts: TransportParts;
  readonly #backOff: BackOff;
  #draining: Promise<void> | undefined;
  #batch: BatchUnderWay | undefined;
  /** The number of events prepared for a batch: twice as many as in the last one, since most of 1,000 wouldn't fit. */
  #eventsMax: number = sdkLimits.batchEventsMin;
  #batchBytesMax: number = sdkLimits.batchJsonBytesMax;
  #eventBytesMax: number = limits.eventBytesMax;
  #hasDelivered = false;
  /** The last event to send now; later ones are sent by a later call. */
  #until = 0;

  constructor(parts: TransportParts) {
    this.#parts = parts;
    this.#backOff = new BackOff(parts.elapsed, parts.random);
  }

  /** Whether the service has accepted anything from this process. */
  get hasDelivered(): boolean {
    return this.#hasDelivered;
  }

  /** Milliseconds until the next attempt; 0 when it may be made now. */
  get retryInMs(): number {
    return this.#backOff.waitMs;
  }

  /** Sends what is queued now, or until a backoff starts. Rejects only on a bug. */
  drain(): Promise<void> {
    // Bounded: under a steady load, each response would otherwise be followed by a tiny batch.
    this.#until = this.#parts.queue.lastSeq;
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  /** Does what {@link drain} does, without waiting for our own backoff, but for the service's. */
  drainAtOnce(): Promise<void> {
    this.#backOff.hurry();
    return this.drain();
  }

  async #drain(): Promise<void> {
    const { queue } = this.#parts;
    while (!queue.hasSettled(this.#until) && this.retryInMs === 0) {
      this.#batch ??= await this.#nextBatch();
      if (this.#batch) await this.#send(this.#batch);
    }
  }

  /** Creates a batch; undefined when the program dropped all of its events. */
  async #nextBatch(): Promise<BatchUnderWay | undefined> {
    const { queue, sources, header, clock, elapsed } = this.#parts;
    const waiting = queue.peek(this.#eventsMax);
    const unprinted = waiting.values();
    // First, so that the sources don't ask for all the stacks in one turn.
    await inTurns(() => queue.print(unprinted.next().value), elapsed);
    await sources.prepare(waiting, eventsWithSource(waiting));
    // While the sources were read, the queue may have evicted events at its head; what is queued now is sent.
    const events = queue.peek(this.#eventsMax);
    queue.reserve(events.length);
    await this.#approve(events);
    const { body, withheld } = await this.#pack(events);
    queue.reserve(0);
    for (const event of withheld) queue.withhold(event);
    if (body.count === 0) return undefined;
    const dropped = this.#reportedDrops();
    const json = body.finish(header(), clock(), dropped);
    queue.take(body.count, dropped.length);
    this.#eventsMax = Math.min(limits.batchEventsMax, Math.max(sdkLimits.batchEventsMin, body.count * 2));
    const hasException = events.slice(0, body.count).some(({ type }) => type === "exception");
    return { json, events: body.count, hasException };
  }

  async #approve(events: readonly NumberedEvent[]): Promise<void> {
    const { approve, elapsed } = this.#parts;
    const withSource = eventsWithSource(events);
    const waiting: (Promise<void> | undefined)[] = [];
    await inTurns(() => {
      const event = events[waiting.length];
      if (event) waiting.push(approve(event, withSource.has(event)));
      return event !== undefined;
    }, elapsed);
    await Promise.all(waiting);
  }

  /** Works in turns: writing a batch takes several milliseconds, and the program has other work. */
  async #pack(events: readonly NumberedEvent[]): Promise<Packing> {
    const { encode, elapsed } = this.#parts;
    const packing = new Packing(events, this.#bounded(encode), this.#batchBytesMax);
    await inTurns(() => packing.step(), elapsed);
    return packing;
  }

  #bounded(encode: EncodeEvent): EncodeEvent {
    if (this.#eventBytesMax === limits.eventBytesMax) return encode;
    return (event, withSource) => {
      const json = encode(event, withSource);
      return json === null ? null : trimJson(json, this.#eventBytesMax);
    };
  }

  /** Limits the dropped ranges, so that they alone can't make a batch too large. */
  #reportedDrops(): Dropped[] {
    return this.#parts.queue.dropped(Math.floor(this.#eventBytesMax / sdkLimits.lossRunBytes));
  }

  async #send({ json, hasException }: BatchUnderWay): Promise<void> {
    let answer: HttpResponse;
    try {
      answer = await this.#parts.post(json);
    } catch {
      // No server, a broken connection, or a partial response: the batch may not have arrived, so it is sent again.
      this.#backOff.failed();
      return;
    }
    const { queue, clock } = this.#parts;
    const { status, retryAfter } = answer;
    const asked = retryAfterMs(retryAfter, clock());
    if (isAccepted(answer)) {
      this.#settle(() => queue.delivered(refusedIndexes(answer.body)), true);
      this.#parts.onAnswer?.(answer.body, hasException);
    } else if (status === 413) this.#sendLess();
    else if (badBatchStatuses.has(status)) this.#settle(() => queue.lose("rejected"), false);
    else if (badAddressStatuses.has(status)) this.#backOff.refused(asked);
    else this.#backOff.failed(asked);
  }

  #settle(settle: () => void, taken: boolean): void {
    this.#batch = undefined;
    this.#backOff.succeeded();
    settle();
    if (!taken) return;
    this.#hasDelivered = true;
    this.#batchBytesMax = grown(this.#batchBytesMax, sdkLimits.batchJsonBytesMax);
    this.#eventBytesMax = grown(this.#eventBytesMax, limits.eventBytesMax);
  }

  /** Halves a batch that was too large; a single event is trimmed to half. */
  #sendLess(): void {
    const bytes = this.#batch?.json.length ?? 0;
    const isSplittable = (this.#batch?.events ?? 0) > 1;
    if (!isSplittable && this.#eventBytesMax <= sdkLimits.eventBytesMin) {
      // No batch is small enough: the events aren't the cause.
      this.#backOff.refused();
      return;
    }
    this.#batch = undefined;
    this.#parts.queue.restore();
    if (isSplittable) this.#batchBytesMax = Math.floor(bytes / 2);
    else this.#eventBytesMax = Math.max(sdkLimits.eventBytesMin, Math.floor(Math.min(bytes, this.#eventBytesMax) / 2));
  }
}

/** Grows back slowly towards the usual size: each step too far costs a rejected batch. */
function grown(bytesMax: number, usual: number): number {
  return Math.min(usual, Math.ceil(bytesMax * 1.1));
}
