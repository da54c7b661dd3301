import { isFatal, type NumberedEvent } from "../core/event.ts";
import * as sdkLimits from "../sdk-limits.ts";
import type { SourceContexts } from "../source/source-context.ts";
import { type BatchHeader, type EncodeEvent, Packing } from "./batch.ts";
import { type Delivery, deliverSync } from "./dying-process.ts";
import type { HttpSender } from "./http.ts";
import type { EventQueue } from "./queue.ts";

export interface FinalDeliveryParts {
  readonly queue: EventQueue;
  readonly sources: SourceContexts;
  readonly header: () => BatchHeader;
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  readonly encode: EncodeEvent;
  readonly sender: Pick<HttpSender, "url" | "filesUrl" | "headers" | "peer">;
}

/** The result of a {@link deliverAllSync}. */
export interface FinalResult {
  /** The events that the service hasn't acknowledged. */
  readonly unsent: readonly NumberedEvent[];
  /** The service's last answer; empty without one. */
  readonly answer: string;
}

/**
 * Sends all queued events from a process whose event loop has ended: blocks until done, at most `waitMs`. Throws when no
 * thread can be started.
 */
export function deliverAllSync(parts: FinalDeliveryParts, waitMs: number): FinalResult {
  const { queue, header, clock, encode, sender } = parts;
  const all = queue.all();
  // Crashes go first, in their own batch: the wait may end before the rest is sent, and the rest may be too large.
  const crashes = all.filter(isFatal);
  const others = all.filter((event) => !isFatal(event));
  const groups = [crashes, others];
  prepareSources(crashes, others, parts);
  const batches: { readonly json: Buffer; readonly events: readonly NumberedEvent[] }[] = [];
  for (const group of groups) {
    for (let rest = group; rest.length > 0; ) {
      const packing = new Packing(rest, encode, sdkLimits.batchJsonBytesMax);
      while (packing.step());
      const { body, withheld } = packing;
      for (const event of withheld) queue.withhold(event);
      const dropped = batches.length === 0 ? queue.dropped() : [];
      const packed = body.count + withheld.length;
      batches.push({ json: body.finish(header(), clock(), dropped), events: rest.slice(0, packed) });
      rest = rest.slice(packed);
    }
  }
  const jsons = batches.map(({ json }) => json);
  const { taken, answer } = deliverSync({ ...requestOf(sender, sender.url), batches: jsons }, waitMs);
  return { unsent: batches.flatMap(({ events }, index) => (taken[index] ? [] : events)), answer };
}

/** Posts files of the program from such a process, at most `waitMs`. Throws when no thread can be started. */
export function postFilesSync(sender: FinalDeliveryParts["sender"], json: Buffer, waitMs: number): void {
  deliverSync({ ...requestOf(sender, sender.filesUrl), batches: [json] }, waitMs);
}

function requestOf({ headers, peer }: FinalDeliveryParts["sender"], url: URL): Omit<Delivery, "batches"> {
  return {
    url: url.href,
    headers,
    peer,
    gzipFromBytes: sdkLimits.gzipFromBytes,
    serverTimeoutMs: sdkLimits.nameServerTimeoutMs,
    answerCharactersMax: sdkLimits.answerBytesMax,
  };
}

/** Reads the source for every crash, and for other events within a short time, so that the exit isn't delayed. */
function prepareSources(
  crashes: readonly NumberedEvent[],
  others: readonly NumberedEvent[],
  { sources, elapsed }: FinalDeliveryParts,
): void {
  let endsAt: number | undefined;
  // The time starts at the first of the others: reading a large map for the crash must not use it up.
  sources.prepareSync(crashes, others, () => {
    endsAt ??= elapsed() + sdkLimits.finalSourcesMs;
    return elapsed() < endsAt;
  });
}
