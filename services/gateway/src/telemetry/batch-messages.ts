import { hash } from "node:crypto";
import { type Batch, type BatchHeader, type Dropped, limits, type TelemetryEvent } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import type { ReceivedBody } from "../plugins/unpack.ts";
import { type MessageHeader, writeBatchMessage, writePackedMessage } from "./batch-message.ts";
import type { AcceptedEvent } from "./validate.ts";

export const messageEventsMax = 500;
/** NATS takes 1 MiB by default (`max_payload`), headers included. */
const messageBytesMax = 1_048_576 - 16_384;

/** Whose a batch is, when it came and how long it is kept. */
export interface BatchFrame {
  readonly scopeId: string;
  readonly receivedAt: string;
  /** Null: as long as the service keeps events. */
  readonly retentionDays: number | null;
}

/** A shorter text is packed no more: unpacking it takes as long as moving it. */
const packedFromLength = 8_192;

/** The batch as the text that came, or the gzip, unless it holds nothing to keep. */
export function wholeMessage(frame: BatchFrame, batch: Batch, { text, packed }: ReceivedBody): NewMessage[] {
  const { instance, dropped = [], events } = batch;
  if (events.length === 0 && dropped.length === 0) return [];
  const header = headerOf(frame);
  const isWorthIt = packed && text.length >= packedFromLength && packed.length < text.length / 2;
  const body = isWorthIt ? writePackedMessage(header, packed) : writeBatchMessage(header, text);
  return [{ id: messageId(frame.scopeId, instance, dropped, events), body }];
}

/** As many messages as the bounds ask for, losses with the first ones. None when there is nothing to keep. */
export function splitBatch(
  frame: BatchFrame,
  { dropped: _dropped, ...header }: BatchHeader,
  accepted: readonly AcceptedEvent[],
  losses: readonly Dropped[],
): NewMessage[] {
  const start = writeBatchMessage(headerOf(frame), JSON.stringify(header).slice(0, -1));
  const messages: NewMessage[] = [];
  let nextEvent = 0;
  let nextLoss = 0;
  while (nextEvent < accepted.length || nextLoss < losses.length) {
    const dropped = losses.slice(nextLoss, nextLoss + limits.droppedRangesMax);
    const before = start + (dropped.length > 0 ? `,"dropped":${JSON.stringify(dropped)}` : "");
    const events = fitting(accepted, nextEvent, messageBytesMax - Buffer.byteLength(before));
    messages.push({
      id: messageId(
        frame.scopeId,
        header.instance,
        dropped,
        events.map(({ event }) => event),
      ),
      body: `${before},"events":[${events.map(({ text }) => text).join(",")}]}`,
    });
    nextEvent += events.length;
    nextLoss += dropped.length;
  }
  return messages;
}

/** The next events that together take no more than `bytes`, and one at least: an event and a header always fit. */
function fitting(accepted: readonly AcceptedEvent[], from: number, bytes: number): readonly AcceptedEvent[] {
  let to = from;
  let used = 0;
  while (to < accepted.length && to - from < messageEventsMax) {
    used += Buffer.byteLength(accepted[to]?.text ?? "") + 1;
    if (used > bytes && to > from) break;
    to += 1;
  }
  return accepted.slice(from, to);
}

function headerOf({ scopeId, receivedAt, retentionDays }: BatchFrame): MessageHeader {
  const kept = retentionDays === null ? {} : { retention_days: retentionDays };
  return { scope_id: scopeId, received_at: receivedAt, ...kept };
}

/**
 * The same for the same events and losses sent again, as by a client whose 202 got lost: the queue takes them once.
 * An event is the same when its id is.
 */
function messageId(
  scopeId: string,
  instance: string,
  dropped: readonly Dropped[],
  events: readonly TelemetryEvent[],
): string {
  return hash("sha256", JSON.stringify([scopeId, instance, dropped, events.map(({ id }) => id)]));
}
