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
export function packEvents(events: readonly NumberedEvent[], encode: EncodeEvent, bytesMax: number): PackedEvents {
  const encoded: string[] = [];
  const withheld: NumberedEvent[] = [];
  const withSource = eventsWithSource(events);
  let bytes = 0;
  for (const event of events) {
    const json = encode(event, withSource.has(event));
    if (json === null) {
      withheld.push(event);
      continue;
    }
    bytes += Buffer.byteLength(json) + 1;
    if (encoded.length > 0 && bytes > bytesMax) break;
    encoded.push(json);
  }
  return { encoded, withheld };
}

/** The body of a request. */
export function encodeBatch(
  header: BatchHeader,
  now: number,
  dropped: readonly Dropped[],
  encoded: readonly string[],
): string {
  const start = { ...header, sent_at: new Date(now).toISOString(), ...(dropped.length > 0 ? { dropped } : {}) };
  return `${toJson(start).slice(0, -1)},"events":[${encoded.join(",")}]}`;
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
