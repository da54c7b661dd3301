import type { Dropped, DropReason } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import type { Trail } from "./breadcrumbs.ts";
import { isFatal, type NumberedEvent, type WhenceEvent } from "./event.ts";
import { sdkLimits } from "./sdk-limits.ts";

/**
 * Events on their way out.
 *
 *     add ──► waiting ──take──► under way ──delivered──► gone
 *                ▲  │               │ └────lose────────► losses ──reported──► gone
 *                │  └──overflow─────┼──────────────────►   ▲
 *                └─────restore──────┘                      │
 *
 * Invariant: every sequence number given out is waiting, under way, delivered, in `losses`, or reported. What waits is
 * bounded by count and by estimated bytes; what is under way is one batch.
 */
export class EventQueue {
  readonly #waiting: { readonly event: NumberedEvent; readonly bytes: number }[] = [];
  #underWay: readonly NumberedEvent[] = [];
  #bytes = 0;
  #lastSeq = 0;
  #lastTrail: Trail | undefined;
  #losses: Dropped[] = [];
  #lost = 0;

  /** Events that wait or are under way. */
  get size(): number {
    return this.#waiting.length + this.#underWay.length;
  }

  /** Estimated bytes of what waits. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Events given up so far. */
  get lost(): number {
    return this.#lost;
  }

  /** Whether an event waits, or is under way, that the program may not survive. */
  get holdsFatal(): boolean {
    return this.#underWay.some(isFatal) || this.#waiting.some(({ event }) => isFatal(event));
  }

  /** Takes an event in and numbers it. The oldest give way when there is no room, those that tell of no crash first. */
  add(event: WhenceEvent): void {
    this.#push({ ...event, seq: this.#nextSeq() });
    this.#makeRoom();
  }

  /** Changes an event that still waits; false when it does not. */
  change(id: string, changes: Pick<WhenceEvent, "level" | "mechanism">): boolean {
    const found = this.#waiting.find(({ event }) => event.id === id);
    if (found) Object.assign(found.event, changes);
    return found !== undefined;
  }

  /** Numbers an event that could not even be made, so that its absence shows. */
  addLost(reason: DropReason): void {
    this.#note(this.#nextSeq(), reason);
  }

  /** The oldest events that wait, `count` at most; they keep waiting. */
  peek(count: number): NumberedEvent[] {
    return this.#waiting.slice(0, count).map(({ event }) => event);
  }

  /** Everything that is not delivered, oldest first. */
  all(): NumberedEvent[] {
    return [...this.#underWay, ...this.#waiting.map(({ event }) => event)];
  }

  /** Puts the `count` oldest under way. They must be settled by one of the three methods below before the next call. */
  take(count: number): void {
    const taken = this.#waiting.splice(0, count);
    this.#underWay = taken.map(({ event }) => event);
    this.#bytes -= taken.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The events under way arrived, but for those at the given indexes, which the service refused. */
  delivered(refused: readonly number[] = []): void {
    for (const index of refused) {
      const event = this.#underWay[index];
      if (event) this.#note(event.seq, "rejected");
    }
    this.#underWay = [];
  }

  /** The events under way go back to the head. */
  restore(): void {
    const returning = this.#underWay.map((event) => ({ event, bytes: sizeOf(event) }));
    this.#underWay = [];
    this.#waiting.unshift(...returning);
    this.#bytes += returning.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#makeRoom();
  }

  /** The events under way will never arrive. */
  lose(reason: DropReason): void {
    for (const { seq } of this.#underWay) this.#note(seq, reason);
    this.#underWay = [];
  }

  /** What was given up and not yet reported, as many ranges as one batch may carry. */
  losses(): Dropped[] {
    return this.#losses.slice(0, limits.droppedRangesMax).map((range) => ({ ...range }));
  }

  /** The service knows of these. A range that grew meanwhile keeps what is new of it. */
  lossesReported(reported: readonly Dropped[]): void {
    const known = new Map(reported.map((range) => [range.from_seq, range.to_seq]));
    this.#losses = this.#losses.flatMap((range) => {
      const until = known.get(range.from_seq);
      if (until === undefined) return range;
      return until < range.to_seq ? { ...range, from_seq: until + 1 } : [];
    });
  }

  #nextSeq(): number {
    this.#lastSeq += 1;
    return this.#lastSeq;
  }

  #push(event: NumberedEvent): void {
    // Events captured with nothing new between them share a trail: it is counted with the first.
    const isShared = event.trail === this.#lastTrail;
    this.#lastTrail = event.trail;
    const bytes = isShared ? event.bytes : sizeOf(event);
    this.#waiting.push({ event, bytes });
    this.#bytes += bytes;
  }

  #makeRoom(): void {
    while (this.#waiting.length > sdkLimits.queueEventsMax || this.#bytes > sdkLimits.queueBytesMax) {
      const oldest = this.#waiting.findIndex(({ event }) => !isFatal(event));
      const [given] = this.#waiting.splice(Math.max(0, oldest), 1);
      if (!given) return;
      this.#bytes -= given.bytes;
      this.#note(given.event.seq, "queue_full");
    }
  }

  #note(seq: number, reason: DropReason): void {
    this.#lost += 1;
    const place = this.#losses.findLastIndex(({ to_seq }) => to_seq < seq) + 1;
    const before = this.#losses[place - 1];
    const after = this.#losses[place];
    const joinsBefore = before?.reason === reason && before.to_seq === seq - 1;
    const joinsAfter = after?.reason === reason && after.from_seq === seq + 1;
    if (before && after && joinsBefore && joinsAfter) {
      this.#losses.splice(place - 1, 2, { ...before, to_seq: after.to_seq });
    } else if (before && joinsBefore) before.to_seq = seq;
    else if (after && joinsAfter) after.from_seq = seq;
    else this.#losses.splice(place, 0, { from_seq: seq, to_seq: seq, reason });
  }
}

function sizeOf({ bytes, trail }: NumberedEvent): number {
  return bytes + (trail?.bytes ?? 0);
}
