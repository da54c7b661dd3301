import type { Batch, Dropped } from "@whence/protocol";
import type { NumberedEvent } from "../core/event.ts";
import type { Calls } from "../core/stack.ts";
import { toJson } from "../runtime/json.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** The part of a batch that is the same for the whole process. */
export type BatchHeader = Omit<Batch, "sent_at" | "dropped" | "events">;

/** Returns an event as JSON, with the source around its frames if asked for; null when the program drops it. */
export type EncodeEvent = (event: NumberedEvent, withSource: boolean) => string | null;

/** Waits for an async `beforeSend`; undefined when there is nothing to wait for. */
export type ApproveEvent = (event: NumberedEvent, withSource: boolean) => Promise<void> | undefined;

const start = '{"events":[';
const firstBytes = 16_384;

/** Builds the body of a request: as many events as fit into `bytesMax`, or a single larger one. */
export class BatchBody {
  readonly #bytesMax: number;
  /** A buffer, because the garbage collector would copy strings while they accumulate. */
  #body = Buffer.allocUnsafeSlow(firstBytes);
  #end = this.#body.write(start);
  #count = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The number of events added. */
  get count(): number {
    return this.#count;
  }

  /** Adds an event as JSON; returns false when it doesn't fit with the others. */
  add(event: string): boolean {
    const bytes = Buffer.byteLength(event) + 1;
    if (this.#count > 0 && this.#end - start.length + bytes > this.#bytesMax) return false;
    this.#reserve(bytes);
    if (this.#count > 0) this.#write(",");
    this.#write(event);
    this.#count += 1;
    return true;
  }

  /** Completes the body with the header. Call it once. */
  finish(header: BatchHeader, now: number, dropped: readonly Dropped[]): Buffer {
    const rest = { ...header, sent_at: new Date(now).toISOString(), ...(dropped.length > 0 ? { dropped } : {}) };
    const end = `],${toJson(rest).slice(1)}`;
    this.#reserve(Buffer.byteLength(end));
    this.#write(end);
    return this.#body.subarray(0, this.#end);
  }

  #write(text: string): void {
    this.#end += this.#body.write(text, this.#end);
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#body.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#end + bytes, 2 * this.#body.length));
    this.#body.copy(larger, 0, 0, this.#end);
    this.#body = larger;
  }
}

/** Packs events into one batch; at least one is packed or withheld. */
export class Packing {
  readonly body: BatchBody;
  /** Events dropped by the program. Together with those in the body they are the first of the given events. */
  readonly withheld: NumberedEvent[] = [];
  readonly #events: readonly NumberedEvent[];
  readonly #encode: EncodeEvent;
  readonly #withSource: ReadonlySet<NumberedEvent>;
  #next = 0;

  constructor(events: readonly NumberedEvent[], encode: EncodeEvent, bytesMax: number) {
    this.body = new BatchBody(bytesMax);
    this.#events = events;
    this.#encode = encode;
    this.#withSource = eventsWithSource(events);
  }

  /** Packs one more event; returns false when none is left, or it doesn't fit. */
  step(): boolean {
    const event = this.#events[this.#next];
    if (event === undefined) return false;
    this.#next += 1;
    const json = this.#encode(event, this.#withSource.has(event));
    if (json !== null) return this.body.add(json);
    this.withheld.push(event);
    return true;
  }
}

/**
 * Returns the events that carry the source around their frames: the first few of each stack. The same lines for every
 * event of a burst would be most of the data, and tell nothing new.
 */
export function eventsWithSource(events: readonly NumberedEvent[]): Set<NumberedEvent> {
  const seen = new Map<Calls, number>();
  const chosen = new Set<NumberedEvent>();
  for (const event of events) {
    const calls = event.thrown?.[0]?.stack.calls;
    if (!calls) continue;
    const before = seen.get(calls) ?? 0;
    if (before < sdkLimits.contextsPerStackMax) chosen.add(event);
    seen.set(calls, before + 1);
  }
  return chosen;
}
