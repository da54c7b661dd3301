import type { Delivery, EventStore, PreparedEvents, StoredLosses } from "@whence/storage";
import { type BatchMessage, readBatchMessage } from "../telemetry/batch-message.ts";
import { type FailureMessages, failuresOf } from "./failures-of.ts";
import type { FirstWrites } from "./first-writes.ts";
import { type LossCount, lossCounts } from "./loss-counts.ts";
import { toStoredEvents, toStoredLosses } from "./to-stored-event.ts";

/**
 * A batch between the queue and the store. It holds what is to be stored, not what that was made of: thousands of
 * parsed events that live for seconds would cost the garbage collector more than all else costs.
 */
export interface HeldBatch {
  readonly delivery: Delivery;
  readonly prepared: PreparedEvents;
  /** How much its client reported as lost. */
  readonly dropped: readonly LossCount[];
  /** Of a batch without the event that they would be kept with. */
  readonly losses: StoredLosses | null;
  /** Published to the analyzer once the events are stored. */
  readonly failures: FailureMessages | null;
  /** Events that are left out: their ids came before with other content. */
  readonly differing: number;
}

/** The batch of a delivery, ready to be stored; or why it can never be. */
export function readDelivery(
  delivery: Delivery,
  store: Pick<EventStore, "prepare">,
  firstWrites: FirstWrites,
): HeldBatch | { readonly unreadable: string } {
  const message = readBatchMessage(delivery.body);
  if ("unreadable" in message) return message;
  try {
    return heldBatch(delivery, message, store, firstWrites);
  } catch (error) {
    // The gateway has checked them; one that it let through by a fault of ours must not stop the rest.
    return { unreadable: `its events can't be stored: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function heldBatch(
  delivery: Delivery,
  message: BatchMessage,
  store: Pick<EventStore, "prepare">,
  firstWrites: FirstWrites,
): HeldBatch {
  const all = toStoredEvents(message);
  const events = all.filter((event) => !firstWrites.differs(event));
  return {
    delivery,
    prepared: store.prepare(events),
    dropped: lossCounts(message.batch.dropped ?? []),
    losses: events[0] === all[0] && events.length > 0 ? null : toStoredLosses(message),
    failures: failuresOf(delivery.id, events),
    differing: all.length - events.length,
  };
}
