import { validationErrors } from "@whence/protocol";
import type { Delivery, NewMessage, StoredEvent } from "@whence/storage";
import { batchMessageSchema } from "../telemetry/batch-message.ts";
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
  const body = parseJson(delivery.body);
  if (body === undefined) return { unreadable: "it is not JSON" };
  const parsed = batchMessageSchema.safeParse(body);
  if (!parsed.success) {
    const [first] = validationErrors(parsed.error.issues, body, "body");
    return { unreadable: `it is no batch: ${first?.loc.join(".")}: ${first?.msg}` };
  }
  const events = toStoredEvents(parsed.data);
  if (events.length === 0) return { unreadable: "it reports losses, and has no event for them to be kept with" };
  return { delivery, events, failures: failuresOf(delivery.id, parsed.data.scope_id, events) };
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
