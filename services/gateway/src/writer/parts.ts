import { hash } from "node:crypto";
import type { NewMessage, StoredEvent, StoredLosses } from "@whence/storage";
import { type BatchMessage, readBatchMessage, writeBatchMessage } from "../telemetry/batch-message.ts";
import type { HeldBatch } from "./held-batch.ts";
import { asSent, toStoredEvents, toStoredLosses } from "./to-stored-event.ts";

/** The smallest unit that can be stored or refused: an event without its batch's dropped ranges, or those ranges. */
export interface Row {
  readonly batch: HeldBatch;
  readonly message: BatchMessage;
  readonly kept: StoredEvent | StoredLosses;
}

export function isEvent(kept: StoredEvent | StoredLosses): kept is StoredEvent {
  return "event" in kept;
}

/** Returns the rows of a batch. */
export function rowsOf(batch: HeldBatch): Row[] {
  const message = readBatchMessage(batch.delivery.body);
  if ("unreadable" in message) return [];
  const losses = toStoredLosses(message);
  const events = toStoredEvents(message).map(({ dropped: _apart, ...event }) => event);
  return [...events, ...(losses === null ? [] : [losses])].map((kept) => ({ batch, message, kept }));
}

/**
 * Returns some rows of a batch, starting with the given one, as a separate message. The same rows get the same id, so
 * that the queue accepts them once.
 */
export function partOf({ batch: { delivery }, message }: Row, rows: readonly Row[]): NewMessage {
  const events = rows.flatMap(({ kept }) => (isEvent(kept) ? asSent(kept) : []));
  const hasLosses = events.length < rows.length;
  const { batch, ...messageHeader } = message;
  const { dropped, ...header } = batch;
  return {
    id: hash("sha256", JSON.stringify([delivery.id, hasLosses, events.map(({ id }) => id)])),
    body: writeBatchMessage(messageHeader, JSON.stringify({ ...header, ...(hasLosses && { dropped }), events })),
  };
}
