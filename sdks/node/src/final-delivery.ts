import { type BatchHeader, type EncodeEvent, Packing } from "./batch.ts";
import { deliverNow } from "./dying-process.ts";
import { isFatal, type NumberedEvent } from "./event.ts";
import type { HttpSender } from "./http.ts";
import type { EventQueue } from "./queue.ts";
import { sdkLimits } from "./sdk-limits.ts";
import type { SourceContexts } from "./source-context.ts";

export interface FinalDeliveryParts {
  readonly queue: EventQueue;
  readonly sources: SourceContexts;
  readonly header: () => BatchHeader;
  readonly clock: () => number;
  /** Milliseconds, never set back. */
  readonly elapsed: () => number;
  readonly encode: EncodeEvent;
  readonly sender: Pick<HttpSender, "url" | "headers" | "peer">;
}

/**
 * Sends all that waits from a process whose event loop has ended: blocks for as long as it takes, `waitMs` at most.
 * Returns what the service is not known to have taken. Throws when no thread can be started.
 */
export function deliverAllNow(parts: FinalDeliveryParts, waitMs: number): NumberedEvent[] {
  const { queue, header, clock, encode, sender } = parts;
  const all = queue.all();
  // The crash itself goes first: the wait may end before the rest has gone.
  const events = [...all.filter(isFatal), ...all.filter((event) => !isFatal(event))];
  prepareSources(events, parts);
  const batches: Buffer[] = [];
  const ends: number[] = [];
  for (let sent = 0; sent < events.length; ) {
    const packing = new Packing(events.slice(sent), encode, sdkLimits.batchJsonBytesMax);
    while (packing.step());
    const { body, withheld } = packing;
    for (const event of withheld) queue.withhold(event);
    const dropped = batches.length === 0 ? queue.losses() : [];
    batches.push(body.finish(header(), clock(), dropped));
    sent += body.count + withheld.length;
    ends.push(sent);
  }
  const { url, headers, peer } = sender;
  const { gzipFromBytes, nameServerTimeoutMs: serverTimeoutMs } = sdkLimits;
  const delivery = { url: url.href, headers, batches, peer, gzipFromBytes, serverTimeoutMs };
  const taken = deliverNow(delivery, waitMs);
  return events.slice(ends[taken - 1] ?? 0);
}

/** Of a crash in any case; of what else waits, those of the first events, since nobody likes to wait for an end. */
function prepareSources(events: readonly NumberedEvent[], { sources, elapsed }: FinalDeliveryParts): void {
  const endsAt = elapsed() + sdkLimits.finalSourcesMs;
  for (const event of events) if (isFatal(event) || elapsed() < endsAt) sources.prepareNow([event]);
}
