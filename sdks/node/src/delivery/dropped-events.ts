import type { Dropped, DropReason } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";

/**
 * The sequence numbers of dropped events, as ordered runs. Adjacent runs with one reason are joined; beyond
 * {@link limits.droppedRangesMax} runs, adjacent ones with different reasons are joined, too: the numbers stay exact,
 * and the reason of the longer run is kept. Events between two runs are queued, under way, or just delivered, so the number
 * of runs stays bounded.
 */
export class DroppedEvents {
  #runs: Dropped[] = [];

  get count(): number {
    return this.#runs.length;
  }

  /** Adds a run that touches no number of another. */
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

  /** The first runs, `count` at most; they stay. */
  first(count: number): Dropped[] {
    return this.#runs.slice(0, count).map((run) => ({ ...run }));
  }

  /** {@link first}, and removes them. */
  take(count: number): Dropped[] {
    return this.#runs.splice(0, count);
  }

  #joinAny(): void {
    for (let index = 0; index < this.#runs.length; index++) {
      if (this.#join(index, () => true)) return;
    }
  }

  /** Joins the run at `index` with the one after it when they touch. */
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
