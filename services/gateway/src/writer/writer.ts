import { setTimeout as delay } from "node:timers/promises";
import { type Delivery, type EventStore, failuresTopic, type Queue, telemetryTopic } from "@whence/storage";
import { type InHand, readDelivery } from "./in-hand.ts";

/** Between two inserts: an idle writer stores at once, a busy one in few large parts, which ClickHouse has to merge. */
const insertIntervalMs = 100;
/** A group is full from one of these on; a batch has up to 1,000 events and 8 MiB. */
const groupEventsMax = 5_000;
const groupBytesMax = 16 * 1_048_576;
/** Bounds the memory that one look at the queue may ask for. */
const messagesPerReceive = 16;
const receiveWaitMs = 10_000;
/** So many refusals in a row, and no success, look like a store that is down and not like bad batches. */
const triesWithoutSuccessMax = 10;
const queuePauseMs = 1_000;
const storePauseMinMs = 250;
const storePauseMaxMs = 5_000;
const retryDelayMinMs = 1_000;
const retryDelayMaxMs = 600_000;
const stopGraceMs = 5_000;

/** The least that is needed of a logger; Fastify's fits. */
export interface Logger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface WriterOptions {
  readonly queue: Queue;
  readonly events: EventStore;
  readonly logger: Logger;
}

/** What a writer did since it started. */
export interface WriterCounts {
  /** Events, once for each time they were stored. */
  readonly stored: number;
  /** Messages to the analyzer. */
  readonly forwarded: number;
  /** Batches put back, and batches that can never be stored. */
  readonly retried: number;
  readonly buried: number;
}

export interface Writer {
  counts(): WriterCounts;
  /** Takes no more, stores what is in hand, and hands back what the store does not take within some seconds. */
  stop(): Promise<void>;
}

/**
 * Moves accepted batches from the queue into the event store, then tells the analyzer of their failures, then
 * acknowledges. What is stored twice counts once, so a death in between loses nothing. While the store is down the
 * batches in hand are held and the rest wait in the queue, so that an outage uses up nobody's attempts.
 */
export function startWriter(options: WriterOptions): Writer {
  return new BatchWriter(options);
}

interface Refused {
  readonly batch: InHand;
  readonly reason: string;
}

interface Sorted {
  readonly refused: readonly Refused[];
  readonly untried: readonly InHand[];
}

class BatchWriter implements Writer {
  readonly #queue: Queue;
  readonly #events: EventStore;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #counts = { stored: 0, forwarded: 0, retried: 0, buried: 0 };
  #inHand: readonly InHand[] = [];
  /** Times in a row that the store took nothing. */
  #refusals = 0;

  constructor({ queue, events, logger }: WriterOptions) {
    this.#queue = queue;
    this.#events = events;
    this.#logger = logger;
    this.#running = this.#run();
  }

  counts(): WriterCounts {
    return { ...this.#counts };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#running, delay(stopGraceMs, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const holding = setInterval(() => this.#extendHolds(), telemetryTopic.visibilityTimeoutMs / 3);
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#gather();
        if (this.#inHand.length > 0) await this.#storeInHand();
        await this.#pause(insertIntervalMs);
      } catch (error) {
        this.#logger.error({ err: error }, "the telemetry queue failed; it is asked again");
        await this.#pause(queuePauseMs);
      }
    }
    clearInterval(holding);
    await this.#handBack();
  }

  /** Waits for a first batch, and takes what lies ready with it until the group is full. */
  async #gather(): Promise<void> {
    let taken = await this.#take(this.#inHand.length === 0 ? receiveWaitMs : 0);
    while (taken === messagesPerReceive && !this.#isFull()) taken = await this.#take(0);
  }

  #isFull(): boolean {
    const events = this.#inHand.reduce((sum, batch) => sum + batch.events.length, 0);
    const bytes = this.#inHand.reduce((sum, batch) => sum + batch.delivery.body.length, 0);
    return events >= groupEventsMax || bytes >= groupBytesMax;
  }

  async #take(waitMs: number): Promise<number> {
    const { signal } = this.#stopping;
    const deliveries = await this.#queue.receive(telemetryTopic, { max: messagesPerReceive, waitMs, signal });
    for (const delivery of deliveries) {
      const batch = readDelivery(delivery);
      if (!("unreadable" in batch)) this.#inHand = [...this.#inHand, batch];
      else await this.#bury(delivery, batch.unreadable);
    }
    return deliveries.length;
  }

  async #storeInHand(): Promise<void> {
    const group = this.#inHand;
    const refusal = await this.#store(group);
    const { refused, untried } =
      refusal === null ? { refused: [], untried: [] } : await this.#storeOneByOne(group, refusal);
    if (refused.length + untried.length === group.length) {
      this.#refusals += 1;
      this.#logger.error({ err: refusal, batches: group.length, times: this.#refusals }, "the store takes no events");
      this.#inHand = [...untried, ...refused.map(({ batch }) => batch)];
      await this.#pause(growing(storePauseMinMs, storePauseMaxMs, this.#refusals));
      return;
    }
    this.#refusals = 0;
    this.#inHand = untried;
    // The store took others: what it refused is at fault itself, and must not be in their way again.
    for (const { batch, reason } of refused) await this.#retry(batch.delivery, reason);
  }

  /** Finds what the store does not take even by itself. Ends early when it seems to take nothing at all. */
  async #storeOneByOne(group: readonly InHand[], refusal: Error): Promise<Sorted> {
    if (group.length === 1) return { refused: group.map((batch) => ({ batch, reason: refusal.message })), untried: [] };
    const refused: Refused[] = [];
    for (const [index, batch] of group.entries()) {
      const reason = await this.#store([batch]);
      if (reason !== null) refused.push({ batch, reason: reason.message });
      const isOutage = refused.length === index + 1 && refused.length === triesWithoutSuccessMax;
      if (isOutage) return { refused, untried: group.slice(index + 1) };
    }
    return { refused, untried: [] };
  }

  /** Null once the batches are stored and their failures handed on. Otherwise any of it may have happened. */
  async #store(group: readonly InHand[]): Promise<Error | null> {
    const events = group.flatMap((batch) => batch.events);
    const failures = group.flatMap((batch) => batch.failures ?? []);
    try {
      await this.#events.insert(events);
      await this.#queue.publish(failuresTopic, failures);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
    this.#counts.stored += events.length;
    this.#counts.forwarded += failures.length;
    await this.#acknowledge(group);
    return null;
  }

  /** What is not acknowledged comes again and is stored over itself. */
  async #acknowledge(group: readonly InHand[]): Promise<void> {
    const outcomes = await Promise.allSettled(group.map(({ delivery }) => delivery.ack()));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) this.#logger.warn({ err: failed.reason }, "stored batches were not acknowledged, and come again");
  }

  async #retry(delivery: Delivery, reason: string): Promise<void> {
    const delayMs = growing(retryDelayMinMs, retryDelayMaxMs, delivery.attempt);
    this.#logger.error({ id: delivery.id, attempt: delivery.attempt, reason }, "the store refused a batch by itself");
    this.#counts.retried += 1;
    await delivery.retry(reason, delayMs);
  }

  async #bury(delivery: Delivery, reason: string): Promise<void> {
    this.#logger.error({ id: delivery.id, reason }, "a batch can never be stored; it is a dead letter now");
    this.#counts.buried += 1;
    await delivery.bury(reason);
  }

  #extendHolds(): void {
    for (const { delivery } of this.#inHand) {
      delivery.extend().catch((error: unknown) => {
        this.#logger.warn({ err: error, id: delivery.id }, "a hold was not extended; the batch may come again");
      });
    }
  }

  /** At the end: whoever asks next gets at once what the store did not take. */
  async #handBack(): Promise<void> {
    const reason = "the writer stopped before the store took it";
    const outcomes = await Promise.allSettled(this.#inHand.map(({ delivery }) => delivery.retry(reason, 0)));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed)
      this.#logger.warn({ err: failed.reason }, "batches were not handed back, and come again when their hold ends");
  }

  async #pause(ms: number): Promise<void> {
    // Cut short by the stop, which is no failure.
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

/** Doubles with each time. */
function growing(minimum: number, maximum: number, times: number): number {
  return Math.min(maximum, minimum * 2 ** (times - 1));
}
