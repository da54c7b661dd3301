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
  /** Matched by the program's own `ignoreErrors`. */
  readonly ignored?: number;
  /** Excluded by the program's own `sampleRate`. */
  readonly sampled_out?: number;
}

/**
 * The outgoing events, oldest first; those at the head are in flight.
 *
 *     add ──► waiting ──take──► in flight ──delivered──► gone
 *                │  ▲               │ │
 *                │  └────restore────┘ └──lose──► dropped ─take──► in flight ──delivered──► gone
 *                └──────overflow───────────────►   ▲                  │
 *                                                  └──────────────────┘ restore, lose
 *
 * Invariant: every sequence number assigned is waiting, in flight, delivered, lost, or reported lost. The content is
 * bounded by count and by estimated bytes; one batch is in flight, which is never evicted.
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
  /** Events that the program chose not to report. They don't count as lost, so a flush can still succeed. */
  readonly #leftOut = new Map<DropReason, number>();
  #lostAtFlush = 0;

  /** Evicted events are lost unless `isKeptElsewhere`. `onLost` is called with each number that will never arrive. */
  constructor(
    isKeptElsewhere: (event: NumberedEvent) => boolean = () => false,
    onLost?: ((seq: number) => void) | undefined,
  ) {
    this.#isKeptElsewhere = isKeptElsewhere;
    this.#onLost = onLost;
  }

  /** The number of events waiting or in flight. */
  get size(): number {
    return this.#events.length;
  }

  /** Their estimated bytes. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  /** The number of events lost so far. */
  get lost(): number {
    return [...this.#lost.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Returns how many were lost since the last call. */
  takeNewlyLost(): number {
    const newlyLost = this.lost - this.#lostAtFlush;
    this.#lostAtFlush = this.lost;
    return newlyLost;
  }

  /** The number of events that were lost or that the program chose not to report, by reason. */
  get lostByReason(): LostEvents {
    return Object.fromEntries([...this.#lost, ...this.#leftOut]);
  }

  /** The sequence number assigned last. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Whether every event numbered `seq` or below is settled. */
  hasSettled(seq: number): boolean {
    const [oldest] = this.#events;
    return oldest === undefined || oldest.seq > seq;
  }

  /** Whether the queue is so full that it should be sent before the next flush, to make room for a burst. */
  get isWorthSending(): boolean {
    return this.size >= sdkLimits.sendFromEvents || this.bytes * 2 > sdkLimits.queueBytesMax;
  }

  /** Adds an event and numbers it. When there is no room, the lowest rank is dropped first, oldest first. */
  add(event: WhenceEvent): NumberedEvent {
    const numbered = numberedEvent(event, this.#nextSeq());
    this.#events.push(numbered);
    this.#memory.add(numbered);
    this.#makeRoom();
    return numbered;
  }

  /** How long stacks may be printed per turn: longer when the unprinted ones hold too much memory. */
  get printingMs(): number {
    const isUrgent = this.#memory.unprintedBytes > sdkLimits.unprintedBytesMax;
    return isUrgent ? sdkLimits.printingTurnMs : sdkLimits.packingTurnMs;
  }

  /** Prints the causes of an event; returns false without one. */
  print(event: NumberedEvent | undefined): boolean {
    if (!event) return false;
    this.#memory.print(event);
    this.#makeRoom();
    return true;
  }

  /** Calls {@link print} for the newest unprinted event: under load, the oldest are the ones evicted. */
  printNewest(): boolean {
    return this.print(this.#memory.newestUnprinted);
  }

  /**
   * Replaces a waiting event, keeping its number, its id, and what was seen on the way to it. Returns false when it is no
   * longer waiting.
   */
  supersede(id: string, event: WhenceEvent): boolean {
    const place = this.#events.findLastIndex((waiting, index) => index >= this.#underWay && waiting.id === id);
    const former = this.#events[place];
    if (!former) return false;
    // By the time of a later report, the watched request may be over.
    const watched = event.watched ?? former.watched;
    const next = { ...withLogContext(event, former), watched, id, seq: former.seq };
    this.#events[place] = next;
    this.#memory.add(next);
    this.#memory.remove(former);
    return true;
  }

  /** Changes a waiting event; returns false when it isn't waiting. */
  change(id: string, changes: Pick<WhenceEvent, "level" | "mechanism">): boolean {
    const found = this.#events.find((event, index) => index >= this.#underWay && event.id === id);
    return found !== undefined && this.supersede(id, { ...found, ...changes });
  }

  /** Numbers an event that couldn't be created, so that the loss is visible. */
  addLost(reason: DropReason): void {
    this.#note(this.#nextSeq(), reason);
  }

  /** Counts evicted events as lost that turned out not to be kept elsewhere. */
  noteLost(seqs: readonly number[]): void {
    for (const seq of seqs) this.#note(seq, "queue_full");
  }

  /** Drops an event that the program's own hook rejected. */
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

  /** Returns the oldest events, at most `count`, without removing them. */
  peek(count: number): NumberedEvent[] {
    return this.#events.slice(0, count);
  }

  /** Returns all undelivered events, oldest first. */
  all(): NumberedEvent[] {
    return [...this.#events];
  }

  /** Returns dropped ranges that aren't known to be reported, as many as fit into one batch. */
  dropped(count: number = limits.droppedRangesMax): Dropped[] {
    const room = Math.min(count, limits.droppedRangesMax);
    return [...this.#droppedUnderWay, ...this.#dropped.first(room)].slice(0, room);
  }

  /** Protects the oldest `count` events from eviction and change until the next call. */
  reserve(count: number): void {
    this.#underWay = count;
  }

  /**
   * Marks the oldest `events` and the first `dropped` ranges as in flight. They must be settled by one of the three
   * methods below before the next call.
   */
  take(events: number, dropped: number): void {
    this.#underWay = events;
    this.#droppedUnderWay = this.#dropped.take(dropped);
  }

  /** Called when what was in flight arrived, except for the events at `refused`, which the service rejected. */
  delivered(refused: readonly number[] = []): void {
    this.#droppedUnderWay = [];
    const events = this.#removeUnderWay();
    for (const index of new Set(refused)) {
      const event = events[index];
      if (event) this.#note(event.seq, "rejected");
    }
  }

  /** Returns what was in flight to waiting. */
  restore(): void {
    this.#underWay = 0;
    for (const run of this.#droppedUnderWay) this.#dropped.add(run);
    this.#droppedUnderWay = [];
  }

  /** Drops the events in flight; the dropped ranges sent with them wait again. */
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
    // A single event stays, however large: it is trimmed when it is sent.
    const kept = Math.max(1, this.#underWay);
    while (this.size > kept && (this.size > sdkLimits.queueEventsMax || this.bytes > sdkLimits.queueBytesMax)) {
      for (const event of this.#giveWay()) if (!this.#isKeptElsewhere(event)) this.#note(event.seq, "queue_full");
    }
  }

  /** Evicts the oldest events of the lowest rank. */
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
