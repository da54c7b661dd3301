import { hash } from "node:crypto";
import type { NewMessage, StoredEvent, StoredLosses } from "@whence/storage";
import type { InHand } from "./in-hand.ts";
import { toStoredLosses } from "./to-stored-event.ts";

/** The least that can be stored, or refused, by itself: an event without its batch's losses, or these. */
export interface Row {
  readonly batch: InHand;
  readonly kept: StoredEvent | StoredLosses;
}

export function isEvent(kept: StoredEvent | StoredLosses): kept is StoredEvent {
  return "event" in kept;
}

/** The rows of a batch. */
export function rowsOf(batch: InHand): Row[] {
  const losses = toStoredLosses(batch.message);
  const events = batch.events.map(({ dropped: _apart, ...event }) => event);
  return [...events, ...(losses === null ? [] : [losses])].map((kept) => ({ batch, kept }));
}

/** Some rows of a batch as a message of their own. The same rows make the same id, so that the queue takes it once. */
export function partOf({ delivery, message }: InHand, rows: readonly Row[]): NewMessage {
  const events = rows.flatMap(({ kept }) => (isEvent(kept) ? kept.event : []));
  const hasLosses = events.length < rows.length;
  const { dropped, ...header } = message.batch;
  const batch = { ...header, ...(hasLosses && { dropped }), events };
  return {
    id: hash("sha256", JSON.stringify([delivery.id, hasLosses, events.map(({ id }) => id)])),
    body: JSON.stringify({ ...message, batch }),
  };
}
