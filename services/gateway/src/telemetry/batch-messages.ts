import { hash } from "node:crypto";
import { type Batch, type BatchHeader, type Dropped, limits, type TelemetryEvent } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import type { ReceivedBody } from "../plugins/unpack.ts";
import type { BatchFrame } from "./batch-frame.ts";
import { type MessageHeader, writeBatchMessage, writePackedMessage } from "./batch-message.ts";
import type { AcceptedEvent } from "./validate.ts";

export const messageEventsMax = 500;
/** NATS accepts 1 MiB by default (`max_payload`), including headers. */
const messageBytesMax = 1_048_576 - 16_384;

/** Shorter text isn't compressed: unpacking it takes as long as transferring it. */
const packedFromLength = 8_192;

/** Returns the batch's message with the received text or gzip; null when there is nothing to keep. */
export function wholeMessage(frame: BatchFrame, batch: Batch, { text, packed }: ReceivedBody): NewMessage[] {
  const { instance, dropped = [], events } = batch;
  if (events.length === 0 && dropped.length === 0) return [];
  const header = headerOf(frame);
  const isWorthIt = packed && text.length >= packedFromLength && packed.length < text.length / 2;
  const body = isWorthIt ? writePackedMessage(header, packed) : writeBatchMessage(header, text);
  return [{ id: messageId(frame.scopeId, instance, dropped, events), body }];
}

/**
 * Splits a batch into as many messages as the limits require, with the dropped ranges in the first ones. None when
 * there is nothing to keep.
 */
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

/** Returns the next events that fit into `bytes` together, and at least one: an event and a header always fit. */
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

/** Returns the header of the messages of a batch. */
export function headerOf({ scopeId, receivedAt, retentionDays }: BatchFrame): MessageHeader {
  const kept = retentionDays === null ? {} : { retention_days: retentionDays };
  return { scope_id: scopeId, received_at: receivedAt, ...kept };
}

/**
 * Returns an id that is the same when the same events and dropped ranges are sent again, as by a client that missed the
 * 202, so that the queue accepts them once. Events are the same when their ids are.
 */
function messageId(
  scopeId: string,
  instance: string,
  dropped: readonly Dropped[],
  events: readonly TelemetryEvent[],
): string {
  return hash("sha256", JSON.stringify([scopeId, instance, dropped, events.map(({ id }) => id)]));
}
