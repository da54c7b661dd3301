import type { Delivery } from "@whence/storage";
import type { InHand } from "./in-hand.ts";

/** Batches in the order they were added, and what they hold together. A delivery is in it once. */
export class BatchSet implements Iterable<InHand> {
  readonly #batches = new Map<Delivery, InHand>();
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

  has({ delivery }: InHand): boolean {
    return this.#batches.has(delivery);
  }

  add(batch: InHand): void {
    if (this.has(batch)) return;
    this.#batches.set(batch.delivery, batch);
    this.#events += batch.prepared.count;
    this.#length += batch.delivery.body.length;
  }

  delete({ delivery }: InHand): void {
    const batch = this.#batches.get(delivery);
    if (batch === undefined) return;
    this.#batches.delete(delivery);
    this.#events -= batch.prepared.count;
    this.#length -= delivery.body.length;
  }

  [Symbol.iterator](): IterableIterator<InHand> {
    return this.#batches.values();
  }
}
