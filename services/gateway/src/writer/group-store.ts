import { SpanStatusCode, trace } from "@opentelemetry/api";
import {
  type EventStore,
  failuresTopic,
  type NewMessage,
  type PreparedEvents,
  type Queue,
  type StoredLosses,
  type Topic,
  telemetryTopic,
} from "@whence/storage";
import type { BatchSource } from "./batch-source.ts";
import { type BesideEvents, joined, storeBeside } from "./beside-events.ts";
import { failuresOf } from "./failures-of.ts";
import type { HeldBatch } from "./held-batch.ts";
import type { Logger } from "./logger.ts";
import { type LossCount, lossCounts } from "./loss-counts.ts";
import type { BatchOutcome, WriterMetrics } from "./metrics.ts";
import { isBeside, isEvent, isLosses, partOf, type Row, rowsOf } from "./parts.ts";
import { growing, pause } from "./pause.ts";
import { type Refused, type StoredByHalves, storeByHalves } from "./store-by-halves.ts";

/** A no-op until the composition root configures an exporter. */
const tracer = trace.getTracer("whence");

const queuePauseMs = 1_000;
const storePauseMinMs = 250;
const storePauseMaxMs = 5_000;
const retryDelayMinMs = 1_000;
const retryDelayMaxMs = 600_000;

export interface GroupStoreOptions {
  readonly queue: Queue;
  readonly events: EventStore;
  readonly logger: Logger;
  readonly metrics: WriterMetrics;
  readonly source: BatchSource;
  /** Aborted when what isn't stored yet should be left to other writers. */
  readonly signal: AbortSignal;
}

type RowsOfBatch = StoredByHalves<Row>;

const nothingKnown: RowsOfBatch = { stored: [], refused: [], undecided: [] };

interface ToInsert {
  readonly parts: readonly PreparedEvents[];
  readonly losses: readonly StoredLosses[];
  readonly beside: BesideEvents;
  /** Dropped events that clients reported, with the parts or separately. */
  readonly dropped: readonly LossCount[];
}

/**
 * Stores groups of batches: inserts them, publishes their failures, acknowledges them. Decides how to handle a refusal.
 */
export class GroupStore {
  readonly #options: GroupStoreOptions;
  /** Consecutive inserts that the store refused. */
  #refusals = 0;
  /**
   * A part that was stored before. Inserting is idempotent, so storing it again distinguishes a store that is down from
   * one that refuses a row.
   */
  #goodPart: PreparedEvents | null = null;
  /** Chains the groups, so that failures are published in the order of their batches. */
  #settled: Promise<void> = Promise.resolve();

  constructor(options: GroupStoreOptions) {
    this.#options = options;
  }

  /**
   * Stores batches. Never rejects; resolves when the store has answered, while failures are still being published.
   * Returns the batches that are still in progress, to be stored with the next group.
   */
  async store(batches: readonly HeldBatch[]): Promise<readonly HeldBatch[]> {
    if (batches.length === 0) return [];
    const refusal = await this.#insert({
      parts: batches.map(({ prepared }) => prepared),
      losses: batches.flatMap(({ losses }) => losses ?? []),
      beside: joined(batches.map(({ beside }) => beside)),
      dropped: batches.flatMap(({ dropped }) => dropped),
    });
    if (refusal === null) {
      this.#refusals = 0;
      void this.#settle(batches, "stored");
      return [];
    }
    return this.#options.signal.aborted ? batches : this.#storeApart(batches, refusal);
  }

  /** Finds the individual rows that the store refuses, unless it refuses everything. */
  async #storeApart(batches: readonly HeldBatch[], refusal: Error): Promise<readonly HeldBatch[]> {
    const { logger, signal } = this.#options;
    const isAway = this.#goodPart !== null && !(await this.#takesGoodPart());
    const { stored, refused, undecided } = isAway ? nothingKnown : await this.#storeByHalves(batches, refusal);
    if (stored.length + refused.length === 0) {
      this.#refusals += 1;
      logger.error({ err: refusal, batches: batches.length, times: this.#refusals }, "the store takes no events");
      await pause(growing(storePauseMinMs, storePauseMaxMs, this.#refusals), signal);
      return batches;
    }
    this.#refusals = 0;
    const [storedOf, undecidedOf] = [Map.groupBy(stored, batchOfRow), Map.groupBy(undecided, batchOfRow)];
    const refusedOf = Map.groupBy(refused, ({ row }) => row.batch);
    const divided = batches.map((batch) => ({
      batch,
      stored: storedOf.get(batch) ?? [],
      refused: refusedOf.get(batch) ?? [],
      undecided: undecidedOf.get(batch) ?? [],
    }));
    await this.#settle(
      divided.filter(isStored).map(({ batch }) => batch),
      "stored",
    );
    for (const one of divided.filter(isPartlyRefused)) await this.#putBack(one.batch, one);
    return divided.filter(isUndecided).map(({ batch }) => batch);
  }

  async #storeByHalves(batches: readonly HeldBatch[], refusal: Error): Promise<RowsOfBatch> {
    const rows = batches.flatMap(rowsOf);
    const takesGoodRow = (): Promise<boolean> => this.#takesGoodPart();
    const store = (some: readonly Row[]): Promise<Error | null> => {
      const kept = some.map((row) => row.kept);
      const losses = kept.filter(isLosses);
      const dropped = losses.flatMap((one) => lossCounts(one.dropped));
      return this.#insert({
        parts: [this.#options.events.prepare(kept.filter(isEvent))],
        losses,
        beside: joined(kept.filter(isBeside).map(({ alone }) => alone)),
        dropped,
      });
    };
    return storeByHalves(rows, refusal, { store, takesGoodRow, signal: this.#options.signal });
  }

  /**
   * Finishes a partly refused batch: its good events are done; each refused one is put back as a separate message, as
   * are the undecided ones. A batch of a single row has used up an attempt.
   */
  async #putBack(batch: HeldBatch, { stored, refused, undecided }: RowsOfBatch): Promise<void> {
    const { logger, queue, source } = this.#options;
    const { delivery } = batch;
    const [[first], [unknown]] = [refused, undecided];
    try {
      if (first && refused.length === 1 && stored.length + undecided.length === 0) {
        await this.#retry(batch, first);
        return;
      }
      logger.error({ id: delivery.id, refused: refused.length, reason: first?.reason }, "the store refused events");
      const parts = refused.map(({ row }) => partOf(row, [row]));
      if (unknown) parts.push(partOf(unknown, undecided));
      await queue.publish(telemetryTopic, parts);
      const events = stored.flatMap(({ kept }) => (isEvent(kept) ? kept : []));
      await this.#settle([{ ...batch, failures: failuresOf(delivery.id, events) }], "split");
    } catch (error) {
      logger.warn({ err: error, id: delivery.id }, "a refused batch was not put back; it comes when its hold ends");
      source.release(batch, "retried");
    }
  }

  async #retry(batch: HeldBatch, { reason }: Refused<Row>): Promise<void> {
    const { id, attempt } = batch.delivery;
    this.#options.logger.error({ id, attempt, reason }, "the store refused a single event");
    await batch.delivery.retry(reason, growing(retryDelayMinMs, retryDelayMaxMs, attempt));
    this.#options.source.release(batch, "retried");
  }

  /** Returns null once everything is stored. After an error, any part of it may have been stored. */
  async #insert({ parts, losses, beside, dropped }: ToInsert): Promise<Error | null> {
    const { metrics, events: store } = this.#options;
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const observe = metrics.insertSeconds.startTimer();
    const span = tracer.startSpan("store telemetry", { attributes: { "whence.events": count } });
    metrics.insertRows.observe(count);
    try {
      if (count > 0) await store.insertPrepared(parts);
      if (losses.length > 0) await store.insertLosses(losses);
      await storeBeside(store, beside);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      observe();
      span.end();
    }
    this.#goodPart = parts.find((part) => part.count > 0) ?? this.#goodPart;
    metrics.eventsStored.inc(count);
    for (const { reason, events } of dropped) metrics.clientDroppedEvents.inc({ reason }, events);
    return null;
  }

  async #takesGoodPart(): Promise<boolean> {
    if (this.#goodPart === null) return false;
    try {
      await this.#options.events.insertPrepared([this.#goodPart]);
      return true;
    } catch {
      // The caller reports this failure, since it asked whether the store is down.
      return false;
    }
  }

  /** Resolves when the failures of everything stored are published, and the batches are acknowledged. */
  settled(): Promise<void> {
    return this.#settled;
  }

  #settle(batches: readonly HeldBatch[], outcome: BatchOutcome): Promise<void> {
    this.#settled = this.#settled.then(() => this.#acknowledge(batches, outcome));
    return this.#settled;
  }

  /** Publishes the failures of stored batches, then acknowledges these. Skips batches handed back meanwhile. */
  async #acknowledge(batches: readonly HeldBatch[], outcome: BatchOutcome): Promise<void> {
    const { source, logger, metrics } = this.#options;
    const held = batches.filter((batch) => source.holds(batch));
    const failures = held.flatMap((batch) => batch.failures ?? []);
    const isPublished = await this.#publish(
      failuresTopic,
      failures.flatMap(({ messages }) => messages),
    );
    if (!isPublished) return;
    metrics.failuresForwarded.inc(failures.reduce((sum, { count }) => sum + count, 0));
    const answers = await Promise.allSettled(held.map(({ delivery }) => delivery.ack()));
    for (const batch of held) source.release(batch, outcome);
    const failed = answers.find((answer) => answer.status === "rejected");
    if (failed) logger.warn({ err: failed.reason }, "stored batches were not acknowledged, and come again");
  }

  /** Publishes with retries until the queue accepts. Returns false when the writer is stopped first. */
  async #publish(topic: Topic, messages: readonly NewMessage[]): Promise<boolean> {
    const { queue, logger, signal } = this.#options;
    for (;;) {
      try {
        await queue.publish(topic, messages);
        return true;
      } catch (error) {
        logger.error({ err: error, topic: topic.name }, "the queue takes nothing; it is asked again");
        if (signal.aborted) return false;
        await pause(queuePauseMs, signal);
      }
    }
  }
}

type Divided = RowsOfBatch & { readonly batch: HeldBatch };

function batchOfRow({ batch }: Row): HeldBatch {
  return batch;
}

function isStored({ refused, undecided }: Divided): boolean {
  return refused.length + undecided.length === 0;
}

function isUndecided({ stored, refused }: Divided): boolean {
  return stored.length + refused.length === 0;
}

function isPartlyRefused(divided: Divided): boolean {
  return !isStored(divided) && !isUndecided(divided);
}
