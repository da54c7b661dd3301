import type { Delivery } from "@whence/storage";
import type { HeldBatch } from "./held-batch.ts";

/** Batches in the order they were added, with their totals. Contains each delivery once. */
export class BatchSet implements Iterable<HeldBatch> {
  readonly #batches = new Map<Delivery, HeldBatch>();
  #events = 0;
  #length = 0;

  get size(): number {
    return this.#batches.size;
  }

  get events(): number {
    return this.#events;
  }

  /** Characters of the batches' messages, or of their rows where those are longer: a message may be compressed. */
  get length(): number {
    return this.#length;
  }

  has({ delivery }: HeldBatch): boolean {
    return this.#batches.has(delivery);
  }

  add(batch: HeldBatch): void {
    if (this.has(batch)) return;
    this.#batches.set(batch.delivery, batch);
    this.#events += batch.prepared.count;
    this.#length += lengthOf(batch);
  }

  delete({ delivery }: HeldBatch): void {
    const batch = this.#batches.get(delivery);
    if (batch === undefined) return;
    this.#batches.delete(delivery);
    this.#events -= batch.prepared.count;
    this.#length -= lengthOf(batch);
  }

  [Symbol.iterator](): IterableIterator<HeldBatch> {
    return this.#batches.values();
  }
}

function lengthOf({ delivery, prepared }: HeldBatch): number {
  return Math.max(delivery.body.length, prepared.rows.length);
}
