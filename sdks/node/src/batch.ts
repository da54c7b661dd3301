import type { Batch, Dropped } from "@whence/protocol";
import type { NumberedEvent } from "./event.ts";
import { toJson } from "./json.ts";
import { sdkLimits } from "./sdk-limits.ts";
import type { Calls } from "./stack.ts";

/** What every batch of this process says of it. */
export type BatchHeader = Omit<Batch, "sent_at" | "dropped" | "events">;

/** An event as JSON, with source around its frames if asked for; null when the program keeps it back. */
export type EncodeEvent = (event: NumberedEvent, withSource: boolean) => string | null;

/** What one request should carry. */
export interface PackedEvents {
  readonly encoded: readonly string[];
  /** Events among them that are not sent. Together they are the first of the events given. */
  readonly withheld: readonly NumberedEvent[];
}

/** Packs as many events as `bytesMax` holds, or one that is larger; at least one is packed or withheld. */
export class Packing implements PackedEvents {
  readonly encoded: string[] = [];
  readonly withheld: NumberedEvent[] = [];
  readonly #events: readonly NumberedEvent[];
  readonly #encode: EncodeEvent;
  readonly #bytesMax: number;
  readonly #withSource: ReadonlySet<NumberedEvent>;
  #next = 0;
  #bytes = 0;

  constructor(events: readonly NumberedEvent[], encode: EncodeEvent, bytesMax: number) {
    this.#events = events;
    this.#encode = encode;
    this.#bytesMax = bytesMax;
    this.#withSource = eventsWithSource(events);
  }

  /** Packs one more event; false when there is none, or no room for it. */
  step(): boolean {
    const event = this.#events[this.#next];
    if (event === undefined) return false;
    this.#next += 1;
    const json = this.#encode(event, this.#withSource.has(event));
    if (json === null) {
      this.withheld.push(event);
      return true;
    }
    this.#bytes += Buffer.byteLength(json) + 1;
    if (this.encoded.length > 0 && this.#bytes > this.#bytesMax) return false;
    this.encoded.push(json);
    return true;
  }
}

/** A whole {@link Packing} at once. */
export function packEvents(events: readonly NumberedEvent[], encode: EncodeEvent, bytesMax: number): PackedEvents {
  const packing = new Packing(events, encode, bytesMax);
  while (packing.step());
  return packing;
}

/** The body of a request. */
export function encodeBatch(
  header: BatchHeader,
  now: number,
  dropped: readonly Dropped[],
  encoded: readonly string[],
): Buffer {
  const start = { ...header, sent_at: new Date(now).toISOString(), ...(dropped.length > 0 ? { dropped } : {}) };
  const texts = [`${toJson(start).slice(0, -1)},"events":[`, ...encoded.flatMap(afterComma), "]}"];
  const body = Buffer.allocUnsafeSlow(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0));
  let end = 0;
  // To join them first takes four times as long as all the rest.
  for (const text of texts) end += body.write(text, end);
  return body;
}

function afterComma(text: string, index: number): string[] {
  return index === 0 ? [text] : [",", text];
}

/**
 * The events that carry the source around their frames: the first few of each stack. The same lines again for every one
 * of a burst would be most of what is sent, and tell nothing new.
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
