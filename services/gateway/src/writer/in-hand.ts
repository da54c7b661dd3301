import type { Delivery, NewMessage, StoredEvent } from "@whence/storage";
import { readBatchMessage } from "../telemetry/batch-message.ts";
import { failuresOf } from "./failures-of.ts";
import { toStoredEvents } from "./to-stored-event.ts";

/** A batch between the queue and the store. */
export interface InHand {
  readonly delivery: Delivery;
  readonly events: readonly StoredEvent[];
  /** What the analyzer is told once the events are stored. */
  readonly failures: NewMessage | null;
}

/** The batch of a delivery, or why it can never be stored. */
export function readDelivery(delivery: Delivery): InHand | { readonly unreadable: string } {
  const message = readBatchMessage(delivery.body);
  if ("unreadable" in message) return message;
  const events = toStoredEvents(message);
  if (events.length === 0) return { unreadable: "it reports losses, and has no event for them to be kept with" };
  return { delivery, events, failures: failuresOf(delivery.id, message.scope_id, events) };
}
