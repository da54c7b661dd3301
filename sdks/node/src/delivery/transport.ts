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
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds, never set back. */
  readonly elapsed: () => number;
  /** In [0, 1): spreads the retries of many processes. */
  readonly random: () => number;
}

/** A batch from its first sending until the service has settled it: what is sent again is the very same. */
interface BatchUnderWay {
  readonly json: Buffer;
  readonly events: number;
}

/** Decides when to send, how to handle the response, and what to drop. One request is in flight at a time. */
export class Transport {
  readonly #parts: TransportParts;
  readonly #backOff: BackOff;
  #draining: Promise<void> | undefined;
  #batch: BatchUnderWay | undefined;
  /** How many events are made ready for a batch: twice what the last one held, since most of 1,000 would not fit. */
  #eventsMax: number = sdkLimits.batchEventsMin;
  #batchBytesMax: number = sdkLimits.batchJsonBytesMax;
  #eventBytesMax: number = limits.eventBytesMax;
  #hasDelivered = false;
  /** What is sent now; what comes later has its own turn. */
  #until = 0;

  constructor(parts: TransportParts) {
    this.#parts = parts;
    this.#backOff = new BackOff(parts.elapsed, parts.random);
  }

  /** Whether the service has taken anything from this process. */
  get hasDelivered(): boolean {
    return this.#hasDelivered;
  }

  /** Milliseconds until the service may be asked again; 0 when it may be now. */
  get retryInMs(): number {
    return this.#backOff.waitMs;
  }

  /** Sends what waits now, or until the service has to be left alone. Never rejects but by a bug. */
  drain(): Promise<void> {
    // Not until nothing waits: under a steady stream each answer would be followed by a tiny batch.
    this.#until = this.#parts.queue.lastSeq;
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  /** {@link drain} that doesn't wait out a failure: only what the service asked for. */
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

  /** Puts a batch under way; undefined when the program kept all of its events back. */
  async #nextBatch(): Promise<BatchUnderWay | undefined> {
    const { queue, sources, header, clock, elapsed } = this.#parts;
    const waiting = queue.peek(this.#eventsMax);
    const unprinted = waiting.values();
    // Before the sources ask for the stacks of all of them in one turn.
    await inTurns(() => queue.print(unprinted.next().value), elapsed);
    await sources.prepare(waiting, eventsWithSource(waiting));
    // While the sources were read the queue may have given way at its head: what is sent is what waits now.
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
    return { json, events: body.count };
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

  /** In turns: what a batch holds takes several milliseconds to write, and the program has more to do. */
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

  /** A report may not be what makes a batch too large either. */
  #reportedDrops(): Dropped[] {
    return this.#parts.queue.dropped(Math.floor(this.#eventBytesMax / sdkLimits.lossRunBytes));
  }

  async #send({ json }: BatchUnderWay): Promise<void> {
    let answer: HttpResponse;
    try {
      answer = await this.#parts.post(json);
    } catch {
      // No server, a broken connection or half a response: the batch may not have arrived, so it is sent again.
      this.#backOff.failed();
      return;
    }
    const { queue, clock } = this.#parts;
    const { status, retryAfter } = answer;
    const asked = retryAfterMs(retryAfter, clock());
    if (isAccepted(answer)) this.#settle(() => queue.delivered(refusedIndexes(answer.body)), true);
    else if (status === 413) this.#sendLess();
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

  /** The batch was too large: half of it; when it was one event, that event trimmed to half. */
  #sendLess(): void {
    const bytes = this.#batch?.json.length ?? 0;
    const isSplittable = (this.#batch?.events ?? 0) > 1;
    if (!isSplittable && this.#eventBytesMax <= sdkLimits.eventBytesMin) {
      // Nothing is small enough: the fault is not in the events.
      this.#backOff.refused();
      return;
    }
    this.#batch = undefined;
    this.#parts.queue.restore();
    if (isSplittable) this.#batchBytesMax = Math.floor(bytes / 2);
    else this.#eventBytesMax = Math.max(sdkLimits.eventBytesMin, Math.floor(Math.min(bytes, this.#eventBytesMax) / 2));
  }
}

/** Back towards what is usual, slowly: each step too far costs a batch that is refused. */
function grown(bytesMax: number, usual: number): number {
  return Math.min(usual, Math.ceil(bytesMax * 1.1));
}
