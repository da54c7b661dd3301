import type { Batch, Dropped } from "@whence/protocol";
import type { NumberedEvent } from "./event.ts";
import { sdkLimits } from "./sdk-limits.ts";
import type { SourceContexts } from "./source-context.ts";
import type { Calls } from "./stack.ts";
import { encodeEvent } from "./trim.ts";
import { toWireEvent } from "./wire-event.ts";

/** What every batch of this process says of it. */
export type BatchHeader = Omit<Batch, "sent_at" | "dropped" | "events">;

export interface EncodedBatch {
  readonly json: string;
  /** How many of the events given are in it, from the first on; at least one when there was one. */
  readonly count: number;
}

/** Packs as many events as one request should carry: {@link sdkLimits.batchJsonBytesMax}, or one event that is larger. */
export function encodeBatch(
  header: BatchHeader,
  now: number,
  events: readonly NumberedEvent[],
  dropped: readonly Dropped[],
  sources: SourceContexts,
): EncodedBatch {
  const encoded: string[] = [];
  const withSource = eventsWithSource(events);
  let length = 0;
  for (const event of events) {
    const json = encodeEvent(toWireEvent(event, withSource.has(event) ? sources : undefined));
    length += Buffer.byteLength(json) + 1;
    if (encoded.length > 0 && length > sdkLimits.batchJsonBytesMax) break;
    encoded.push(json);
  }
  const start = { ...header, sent_at: new Date(now).toISOString(), ...(dropped.length > 0 ? { dropped } : {}) };
  return { json: `${JSON.stringify(start).slice(0, -1)},"events":[${encoded.join(",")}]}`, count: encoded.length };
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
