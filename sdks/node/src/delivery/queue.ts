import type { Dropped, DropReason } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { type NumberedEvent, numberedEvent, type WhenceEvent, worthOf } from "../core/event.ts";
import { withLogContext } from "../core/log-context.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { DroppedEvents } from "./dropped-events.ts";
import { QueueMemory } from "./queue-memory.ts";

/** How many events were dropped, by reason; reasons without dropped events are absent. */
export interface LostEvents {
  readonly queue_full?: number;
  readonly too_large?: number;
  readonly rate_limited?: number;
  readonly rejected?: number;
  readonly network_error?: number;
  readonly closed?: number;
  readonly internal_error?: number;
  /** Dropped by the program's own `beforeSend`. */
  readonly before_send?: number;
  /** Named by the program's own `ignoreErrors`. */
  readonly ignored?: number;
  /** Left out by the program's own `sampleRate`. */
  readonly sampled_out?: number;
}

/**
 * Events on their way out, oldest first; those at the head are under way.
 *
 *     add ──► waiting ──take──► under way ──delivered──► gone
 *                │  ▲               │ │
 *                │  └────restore────┘ └──lose──► dropped ─take──► under way ──delivered──► gone
 *                └──────overflow───────────────►   ▲                  │
 *                                                  └──────────────────┘ restore, lose
 *
 * Invariant: every sequence number given out is waiting, under way, delivered, lost, or reported lost. All that is held
 * is bounded by count and by estimated bytes; what is under way is one batch, which never gives way.
 */
export class EventQueue {
  readonly #events: NumberedEvent[] = [];
  readonly #memory = new QueueMemory();
  readonly #dropped = new DroppedEvents();
  #underWay = 0;
  #droppedUnderWay: readonly Dropped[] = [];
  readonly #isKeptElsewhere: (event: NumberedEvent) => boolean;
  readonly #onLost: ((seq: number) => void) | undefined;
  #lastSeq = 0;
  readonly #lost = new Map<DropReason, number>();
  /** What the program chose not to report. Nothing is lost that was not to be sent: a flush may say that all arrived. */
  readonly #leftOut = new Map<DropReason, number>();
  #lostAtFlush = 0;

  /** What gives way is lost, unless `isKeptElsewhere`. `onLost` is called with each number that will never arrive. */
  constructor(
    isKeptElsewhere: (event: NumberedEvent) => boolean = () => false,
    onLost?: ((seq: number) => void) | undefined,
  ) {
    this.#isKeptElsewhere = isKeptElsewhere;
    this.#onLost = onLost;
  }

  /** Events that wait or are under way. */
  get size(): number {
    return this.#events.length;
  }

  /** Estimated bytes of them. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  /** Events given up so far. */
  get lost(): number {
    return [...this.#lost.values()].reduce((sum, count) => sum + count, 0);
  }

  /** How many were given up since this was last asked. */
  takeNewlyLost(): number {
    const newlyLost = this.lost - this.#lostAtFlush;
    this.#lostAtFlush = this.lost;
    return newlyLost;
  }

  /** What was given up and what the program chose not to report, by reason. */
  get lostByReason(): LostEvents {
    return Object.fromEntries([...this.#lost, ...this.#leftOut]);
  }

  /** The number that was given out last. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Whether nothing numbered `seq` or below is left to deliver. */
  hasSettled(seq: number): boolean {
    const [oldest] = this.#events;
    return oldest === undefined || oldest.seq > seq;
  }

  /** Whether it holds so much that it should not wait for the next flush: a burst may come, and needs the room. */
  get isWorthSending(): boolean {
    return this.size >= sdkLimits.sendFromEvents || this.bytes * 2 > sdkLimits.queueBytesMax;
  }

  /** Takes an event in and numbers it. When there is no room, what is worth least is dropped, the oldest first. */
  add(event: WhenceEvent): NumberedEvent {
    const numbered = numberedEvent(event, this.#nextSeq());
    this.#events.push(numbered);
    this.#memory.add(numbered);
    this.#makeRoom();
    return numbered;
  }

  /** How long stacks may be printed in one turn: longer when those that have not been hold too much. */
  get printingMs(): number {
    const isUrgent = this.#memory.unprintedBytes > sdkLimits.unprintedBytesMax;
    return isUrgent ? sdkLimits.printingTurnMs : sdkLimits.packingTurnMs;
  }

  /** Prints the causes of an event, if there is one. False when there is none. */
  print(event: NumberedEvent | undefined): boolean {
    if (!event) return false;
    this.#memory.print(event);
    this.#makeRoom();
    return true;
  }

  /** {@link print} of the newest whose causes are not: when they come too fast, it is the oldest that give way. */
  printNewest(): boolean {
    return this.print(this.#memory.newestUnprinted);
  }

  /** Puts an event in the place of one that waits, with its number and its id. False when that is no longer here. */
  supersede(id: string, event: WhenceEvent): boolean {
    const place = this.#events.findLastIndex((waiting, index) => index >= this.#underWay && waiting.id === id);
    const former = this.#events[place];
    if (!former) return false;
    const next = { ...withLogContext(event, former), id, seq: former.seq };
    this.#events[place] = next;
    this.#memory.add(next);
    this.#memory.remove(former);
    return true;
  }

  /** Changes an event that still waits; false when it does not. */
  change(id: string, changes: Pick<WhenceEvent, "level" | "mechanism">): boolean {
    const found = this.#events.find((event, index) => index >= this.#underWay && event.id === id);
    return found !== undefined && this.supersede(id, { ...found, ...changes });
  }

  /** Numbers an event that could not even be made, so that its absence shows. */
  addLost(reason: DropReason): void {
    this.#note(this.#nextSeq(), reason);
  }

  /** What had given way because it was kept elsewhere is lost after all. */
  noteLost(seqs: readonly number[]): void {
    for (const seq of seqs) this.#note(seq, "queue_full");
  }

  /** The program's own hook keeps an event back. */
  withhold(event: NumberedEvent): void {
    const index = this.#events.indexOf(event, this.#underWay);
    if (index === -1) return;
    this.#remove(index, 1);
    this.#noteLeftOut(event.seq, "before_send");
  }

  /** Numbers an event that the program chose not to report, so that the gap doesn't look like a loss. */
  addLeftOut(reason: DropReason): void {
    this.#noteLeftOut(this.#nextSeq(), reason);
  }

  /** The oldest events, `count` at most; they keep waiting. */
  peek(count: number): NumberedEvent[] {
    return this.#events.slice(0, count);
  }

  /** Everything that is not delivered, oldest first. */
  all(): NumberedEvent[] {
    return [...this.#events];
  }

  /** Dropped events that are not known to be reported, as many runs as one batch may carry. */
  dropped(count: number = limits.droppedRangesMax): Dropped[] {
    const room = Math.min(count, limits.droppedRangesMax);
    return [...this.#droppedUnderWay, ...this.#dropped.first(room)].slice(0, room);
  }

  /** Keeps the oldest `count` events in place and unchanged, until the next call. */
  reserve(count: number): void {
    this.#underWay = count;
  }

  /**
   * Puts the oldest `events` and the first `dropped` runs under way. They must be settled by one of the three methods
   * below before the next call.
   */
  take(events: number, dropped: number): void {
    this.#underWay = events;
    this.#droppedUnderWay = this.#dropped.take(dropped);
  }

  /** What was under way arrived, but for the events at the given indexes, which the service refused. */
  delivered(refused: readonly number[] = []): void {
    this.#droppedUnderWay = [];
    const events = this.#removeUnderWay();
    for (const index of new Set(refused)) {
      const event = events[index];
      if (event) this.#note(event.seq, "rejected");
    }
  }

  /** What was under way waits again. */
  restore(): void {
    this.#underWay = 0;
    for (const run of this.#droppedUnderWay) this.#dropped.add(run);
    this.#droppedUnderWay = [];
  }

  /** The events under way will never arrive; the dropped events they would have reported wait again. */
  lose(reason: DropReason): void {
    const events = this.#removeUnderWay();
    this.restore();
    for (const { seq } of events) this.#note(seq, reason);
  }

  #nextSeq(): number {
    this.#lastSeq += 1;
    return this.#lastSeq;
  }

  #note(seq: number, reason: DropReason): void {
    increment(this.#lost, reason);
    this.#dropped.note(seq, reason);
    this.#onLost?.(seq);
  }

  #noteLeftOut(seq: number, reason: DropReason): void {
    increment(this.#leftOut, reason);
    this.#dropped.note(seq, reason);
  }

  #makeRoom(): void {
    // One that is alone stays, however large: it is trimmed when it is sent.
    const kept = Math.max(1, this.#underWay);
    while (this.size > kept && (this.size > sdkLimits.queueEventsMax || this.bytes > sdkLimits.queueBytesMax)) {
      for (const event of this.#giveWay()) if (!this.#isKeptElsewhere(event)) this.#note(event.seq, "queue_full");
    }
  }

  /** Of what is worth least, the oldest. */
  #giveWay(): NumberedEvent[] {
    let [place, least] = [this.#underWay, Number.POSITIVE_INFINITY];
    for (let index = this.#underWay; index < this.size && least > 0; index++) {
      const event = this.#events[index];
      const worth = event ? worthOf(event) : least;
      if (worth < least) [place, least] = [index, worth];
    }
    return this.#remove(place, 1);
  }

  #removeUnderWay(): NumberedEvent[] {
    const events = this.#remove(0, this.#underWay);
    this.#underWay = 0;
    return events;
  }

  #remove(start: number, count: number): NumberedEvent[] {
    const removed = this.#events.splice(start, count);
    for (const event of removed) this.#memory.remove(event);
    return removed;
  }
}

function increment(counts: Map<DropReason, number>, reason: DropReason): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
}
