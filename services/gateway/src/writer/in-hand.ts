import type { Delivery, StoredEvent, StoredLosses } from "@whence/storage";
import { type BatchMessage, readBatchMessage } from "../telemetry/batch-message.ts";
import { type FailuresToTell, failuresOf } from "./failures-of.ts";
import { toStoredEvents, toStoredLosses } from "./to-stored-event.ts";

/** A batch between the queue and the store. */
export interface InHand {
  readonly delivery: Delivery;
  readonly message: BatchMessage;
  readonly events: readonly StoredEvent[];
  /** Of a batch without events; otherwise its losses are with the first of them. */
  readonly losses: StoredLosses | null;
  /** What the analyzer is told once the events are stored. */
  readonly failures: FailuresToTell | null;
}

/** The batch of a delivery, or why it can never be stored. */
export function readDelivery(delivery: Delivery): InHand | { readonly unreadable: string } {
  const message = readBatchMessage(delivery.body);
  if ("unreadable" in message) return message;
  const events = toStoredEvents(message);
  const losses = events.length === 0 ? toStoredLosses(message) : null;
  return { delivery, message, events, losses, failures: failuresOf(delivery.id, message.scope_id, events) };
}
