import { hash } from "node:crypto";
import { type BatchHeader, type Dropped, limits } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import { writeBatchMessage } from "./batch-message.ts";
import type { AcceptedEvent } from "./validate.ts";

const messageEventsMax = 500;
/** NATS takes 1 MiB unless told (`max_payload`), its headers included. */
const messageBytesMax = 1_048_576 - 16_384;

/** Whose a batch is, when it came and how long it is kept. */
export interface BatchFrame {
  readonly scopeId: string;
  readonly receivedAt: string;
  /** Null: as long as the service keeps events. */
  readonly retentionDays: number | null;
}

/** A batch as the messages of the queue: as many as their bounds ask for, losses with the first ones. None when there is nothing to keep. */
export function messagesOf(
  frame: BatchFrame,
  { dropped: _dropped, ...header }: BatchHeader,
  accepted: readonly AcceptedEvent[],
  losses: readonly Dropped[],
): NewMessage[] {
  const { scopeId: scope_id, receivedAt: received_at, retentionDays } = frame;
  const kept = retentionDays === null ? {} : { retention_days: retentionDays };
  const messages: NewMessage[] = [];
  let nextEvent = 0;
  let nextLoss = 0;
  while (nextEvent < accepted.length || nextLoss < losses.length) {
    const dropped = losses.slice(nextLoss, nextLoss + limits.droppedRangesMax);
    const batch = dropped.length > 0 ? { ...header, dropped } : header;
    const first = { scope_id, received_at, ...kept, batch };
    const events = fitting(accepted, nextEvent, messageBytesMax - Buffer.byteLength(JSON.stringify(first)));
    messages.push({
      id: messageId(scope_id, header.instance, dropped, events),
      body: writeBatchMessage(
        first,
        events.map(({ text }) => text),
      ),
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

/**
 * The same for the same events and losses sent again, as by a client whose 202 got lost: the queue takes them once.
 * An event is the same when its id is.
 */
function messageId(
  scopeId: string,
  instance: string,
  dropped: readonly Dropped[],
  events: readonly AcceptedEvent[],
): string {
  return hash("sha256", JSON.stringify([scopeId, instance, dropped, events.map(({ event }) => event.id)]));
}
