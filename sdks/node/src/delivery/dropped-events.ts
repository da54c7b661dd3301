import type { Dropped, DropReason } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";

/**
 * The sequence numbers of dropped events, as ordered ranges. Adjacent ranges with one reason are merged. Above {@link
 * limits.droppedRangesMax} ranges, adjacent ones with different reasons are merged, too: the numbers stay exact, with
 * the reason of the longer range. Events between two ranges are queued, in flight, or just delivered, so the number of
 * ranges stays bounded.
 */
export class DroppedEvents {
  #runs: Dropped[] = [];

  get count(): number {
    return this.#runs.length;
  }

  /** Adds a range that overlaps no other. */
  add(run: Dropped): void {
    const place = this.#runs.findLastIndex(({ to_seq }) => to_seq < run.from_seq) + 1;
    this.#runs.splice(place, 0, { ...run });
    this.#join(place, sameReason);
    this.#join(place - 1, sameReason);
    if (this.#runs.length > limits.droppedRangesMax) this.#joinAny();
  }

  /** Adds one number. */
  note(seq: number, reason: DropReason): void {
    this.add({ from_seq: seq, to_seq: seq, reason });
  }

  /** Returns the first ranges, at most `count`. */
  first(count: number): Dropped[] {
    return this.#runs.slice(0, count).map((run) => ({ ...run }));
  }

  /** Removes and returns {@link first}. */
  take(count: number): Dropped[] {
    return this.#runs.splice(0, count);
  }

  #joinAny(): void {
    for (let index = 0; index < this.#runs.length; index++) {
      if (this.#join(index, () => true)) return;
    }
  }

  /** Merges the range at `index` with the next one when they are adjacent. */
  #join(index: number, mayJoin: (one: Dropped, other: Dropped) => boolean): boolean {
    const one = this.#runs[index];
    const next = this.#runs[index + 1];
    if (!one || !next || one.to_seq + 1 !== next.from_seq || !mayJoin(one, next)) return false;
    const reason = lengthOf(one) >= lengthOf(next) ? one.reason : next.reason;
    this.#runs.splice(index, 2, { from_seq: one.from_seq, to_seq: next.to_seq, reason });
    return true;
  }
}

function sameReason(one: Dropped, other: Dropped): boolean {
  return one.reason === other.reason;
}

function lengthOf({ from_seq, to_seq }: Dropped): number {
  return to_seq - from_seq + 1;
}
