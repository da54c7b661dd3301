import type { Delivery, EventStore, PreparedEvents, StoredLosses } from "@whence/storage";
import { type BatchMessage, readBatchMessage } from "../telemetry/batch-message.ts";
import { type BesideEvents, besideEventsOf } from "./beside-events.ts";
import { type FailureMessages, failuresOf } from "./failures-of.ts";
import type { FirstWrites } from "./first-writes.ts";
import { type LossCount, lossCounts } from "./loss-counts.ts";
import { toStoredEvents, toStoredLosses } from "./to-stored-event.ts";

/**
 * A batch between the queue and the store. Contains prepared rows rather than the parsed events: thousands of objects
 * that live for seconds would cost the garbage collector more than everything else.
 */
export interface HeldBatch {
  readonly delivery: Delivery;
  readonly prepared: PreparedEvents;
  /** The numbers of events that its client reported as dropped. */
  readonly dropped: readonly LossCount[];
  /** The dropped ranges of a batch without an event to store them with. */
  readonly losses: StoredLosses | null;
  readonly beside: BesideEvents;
  /** Published to the analyzer once the events are stored. */
  readonly failures: FailureMessages | null;
  /** The number of events left out because their ids came before with other content. */
  readonly differing: number;
}

/** Returns the batch of a delivery, ready to be stored, or why it never can be. */
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
    // The gateway has validated them; one that got through by a bug of ours must not stop the others.
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
    beside: besideEventsOf(message),
    failures: failuresOf(delivery.id, events),
    differing: all.length - events.length,
  };
}
