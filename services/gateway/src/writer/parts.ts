import { hash } from "node:crypto";
import type { NewMessage, StoredEvent, StoredLosses, StoredSpan } from "@whence/storage";
import { type BatchMessage, readBatchMessage, writeBatchMessage } from "../telemetry/batch-message.ts";
import type { HeldBatch } from "./held-batch.ts";
import { asSent, toStoredEvents, toStoredLosses, toStoredSpans } from "./to-stored-event.ts";

/** The steps of traces in a batch, which are stored together. */
export interface BatchSpans {
  readonly spans: readonly StoredSpan[];
}

/**
 * The smallest unit that can be stored or refused: an event without its batch's dropped ranges, those ranges, or its
 * steps of traces.
 */
export interface Row {
  readonly batch: HeldBatch;
  readonly message: BatchMessage;
  readonly kept: StoredEvent | StoredLosses | BatchSpans;
}

export function isEvent(kept: Row["kept"]): kept is StoredEvent {
  return "event" in kept;
}

export function isSpans(kept: Row["kept"]): kept is BatchSpans {
  return "spans" in kept;
}

/** Returns the rows of a batch. */
export function rowsOf(batch: HeldBatch): Row[] {
  const message = readBatchMessage(batch.delivery.body);
  if ("unreadable" in message) return [];
  const losses = toStoredLosses(message);
  const events = toStoredEvents(message).map(({ dropped: _apart, ...event }) => event);
  const spans = toStoredSpans(message);
  const others = [...(losses === null ? [] : [losses]), ...(spans.length === 0 ? [] : [{ spans }])];
  return [...events, ...others].map((kept) => ({ batch, message, kept }));
}

/**
 * Returns some rows of a batch, starting with the given one, as a separate message. The same rows get the same id, so
 * that the queue accepts them once.
 */
export function partOf({ batch: { delivery }, message }: Row, rows: readonly Row[]): NewMessage {
  const events = rows.flatMap(({ kept }) => (isEvent(kept) ? asSent(kept) : []));
  const hasSpans = rows.some(({ kept }) => isSpans(kept));
  const hasLosses = events.length + (hasSpans ? 1 : 0) < rows.length;
  const { batch, ...messageHeader } = message;
  const { dropped, spans, ...header } = batch;
  return {
    id: hash("sha256", JSON.stringify([delivery.id, hasLosses, hasSpans, events.map(({ id }) => id)])),
    body: writeBatchMessage(
      messageHeader,
      JSON.stringify({ ...header, ...(hasLosses && { dropped }), ...(hasSpans && { spans }), events }),
    ),
  };
}
