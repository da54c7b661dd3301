import type { Delivery, StoredEvent, StoredLosses } from "@whence/storage";
import { type BatchMessage, readBatchMessage } from "../telemetry/batch-message.ts";
import { type FailuresToTell, failuresOf } from "./failures-of.ts";
import { toStoredEvents, toStoredLosses } from "./to-stored-event.ts";

/** A batch between the queue and the store. */
export interface InHand {
  readonly delivery: Delivery;
  readonly message: BatchMessage;
  readonly events: readonly StoredEvent[];
  /** Of a batch without events; otherwise its losses are with the first of them. */
  readonly losses: StoredLosses | null;
  /** What the analyzer is told once the events are stored. */
  readonly failures: FailuresToTell | null;
}

/** The batch of a delivery, or why it can never be stored. */
export function readDelivery(delivery: Delivery): InHand | { readonly unreadable: string } {
  const message = readBatchMessage(delivery.body);
  if ("unreadable" in message) return message;
  const events = toStoredEvents(message);
  const losses = events.length === 0 ? toStoredLosses(message) : null;
  return { delivery, message, events, losses, failures: failuresOf(delivery.id, message.scope_id, events) };
}

/** Batches, and what they hold together. */
export class BatchSet implements Iterable<InHand> {
  readonly #batches = new Set<InHand>();
  #events = 0;
  #length = 0;

  get size(): number {
    return this.#batches.size;
  }

  get events(): number {
    return this.#events;
  }

  /** Characters of the batches' messages. */
  get length(): number {
    return this.#length;
  }

  add(batch: InHand): void {
    if (this.#batches.has(batch)) return;
    this.#batches.add(batch);
    this.#events += batch.events.length;
    this.#length += batch.delivery.body.length;
  }

  delete(batch: InHand): void {
    if (!this.#batches.delete(batch)) return;
    this.#events -= batch.events.length;
    this.#length -= batch.delivery.body.length;
  }

  [Symbol.iterator](): Iterator<InHand> {
    return this.#batches.values();
  }
}
