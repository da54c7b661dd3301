import { hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Delivery, type EventStore, type Queue, telemetryTopic } from "@whence/storage";
import { BatchSet } from "./batch-set.ts";
import { FirstWrites } from "./first-writes.ts";
import { type HeldBatch, readDelivery } from "./held-batch.ts";
import type { Logger } from "./logger.ts";
import type { BatchOutcome, WriterMetrics } from "./metrics.ts";
import { pause } from "./pause.ts";

/**
 * The limits of a group; it is full when one is reached. This many events keep the embedded engine busy for about half
 * a second.
 */
const groupEventsMax = 10_000;
const groupLengthMax = 16 * 1_048_576;
/** One group that is being acknowledged, one that is being stored, and one that is being gathered. */
const groupsHeldMax = 3;
/** Limits the memory of one receive: a message has up to 1 MiB. */
const messagesPerReceive = 64;
const receiveWaitMs = 1_000;
const queuePauseMs = 1_000;

export interface BatchSourceOptions {
  readonly queue: Queue;
  readonly events: EventStore;
  readonly logger: Logger;
  readonly metrics: WriterMetrics;
  /** Aborted when no more batches should be taken. */
  readonly signal: AbortSignal;
}

/** Takes batches from the queue, tracks those in progress, and extends them until they are released. */
export class BatchSource {
  readonly #options: BatchSourceOptions;
  readonly #held = new BatchSet();
  readonly #firstWrites = new FirstWrites();

  constructor(options: BatchSourceOptions) {
    this.#options = options;
  }

  /** Whether the batch was neither released nor handed back. */
  holds(batch: HeldBatch): boolean {
    return this.#held.has(batch);
  }

  /** Whether nothing can be taken until something is released. */
  isFull(): boolean {
    const { events, length } = this.#held;
    return events >= groupsHeldMax * groupEventsMax || length >= groupsHeldMax * groupLengthMax;
  }

  /** Waits for a first batch, then takes what is ready with it, until the group is full or may be stored. */
  async gather(mayBeStored: Promise<unknown>): Promise<BatchSet> {
    const group = new BatchSet();
    try {
      await this.#takeWhatIsReady(group, receiveWaitMs);
      if (group.size === 0 || this.#isGroupFull(group)) return group;
      await mayBeStored;
      await this.#takeWhatIsReady(group, 0);
    } catch (error) {
      this.#options.logger.error({ err: error }, "the telemetry queue failed; it is asked again");
      await pause(queuePauseMs, this.#options.signal);
    }
    return group;
  }

  /** Releases a batch: the queue may do anything with it from now on. */
  release(batch: HeldBatch, outcome: BatchOutcome): void {
    this.#held.delete(batch);
    this.#options.metrics.batches.inc({ outcome });
    this.#options.metrics.held.set(this.#held.size);
  }

  extendHolds(): void {
    for (const { delivery } of this.#held) {
      delivery.extend().catch((error: unknown) => {
        this.#options.logger.warn({ err: error, id: delivery.id }, "a hold was not extended; the batch may come again");
      });
    }
  }

  /** Hands back the batches in progress at the end, so that the next writer gets them at once. */
  async handBack(): Promise<void> {
    const handBack = async (batch: HeldBatch): Promise<void> => {
      this.release(batch, "handed_back");
      await this.#giveBack(batch.delivery);
    };
    const outcomes = await Promise.allSettled([...this.#held].map(handBack));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (!failed) return;
    this.#options.logger.warn({ err: failed.reason }, "batches were not handed back; they come when their hold ends");
  }

  /** Hands a delivery back. The attempt can't be undone, but handing back must not turn a batch into a dead letter. */
  async #giveBack(delivery: Delivery): Promise<void> {
    const { id, body, attempt } = delivery;
    if (attempt < telemetryTopic.maxAttempts) {
      await delivery.retry("the writer stopped before it was stored", 0);
      return;
    }
    await this.#options.queue.publish(telemetryTopic, [{ id: hash("sha256", `${id} handed back`), body }]);
    await delivery.ack();
  }

  #isGroupFull({ events, length }: Pick<BatchSet, "events" | "length">): boolean {
    const isGroupFull = events >= groupEventsMax || length >= groupLengthMax;
    return this.#options.signal.aborted || isGroupFull || this.isFull();
  }

  /** Waits at most `waitMs` for the first batch. Requests more while it reads those it has. */
  async #takeWhatIsReady(group: BatchSet, waitMs: number): Promise<void> {
    let ready = await this.#receive(group, waitMs);
    while (ready.length > 0) {
      const mayBeMore = ready.length === messagesPerReceive;
      const [next] = await Promise.all([mayBeMore ? this.#receive(group, 0, ready) : [], this.#add(group, ready)]);
      ready = next;
    }
  }

  /** Receives deliveries; none when the group is full, including those on their way. */
  async #receive(group: BatchSet, waitMs: number, onTheirWay: readonly Delivery[] = []): Promise<readonly Delivery[]> {
    const length = onTheirWay.reduce((sum, { body }) => sum + body.length, group.length);
    if (this.#isGroupFull({ events: group.events, length })) return [];
    const { queue, signal } = this.#options;
    return queue.receive(telemetryTopic, { max: messagesPerReceive, waitMs, signal });
  }

  async #add(group: BatchSet, deliveries: readonly Delivery[]): Promise<void> {
    for (const delivery of deliveries) {
      const batch = readDelivery(delivery, this.#options.events, this.#firstWrites);
      if ("unreadable" in batch) await this.#bury(delivery, batch.unreadable);
      else {
        this.#options.metrics.differingEvents.inc(batch.differing);
        group.add(batch);
        this.#held.add(batch);
      }
      // Gives a gateway on the same thread a turn between two batches.
      await nextTurn();
    }
    this.#options.metrics.held.set(this.#held.size);
  }

  async #bury(delivery: Delivery, reason: string): Promise<void> {
    this.#options.logger.error({ id: delivery.id, reason }, "a batch can never be stored; it is a dead letter now");
    await delivery.bury(reason);
    this.#options.metrics.batches.inc({ outcome: "buried" });
  }
}
