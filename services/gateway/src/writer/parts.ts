import { hash } from "node:crypto";
import type { NewMessage, StoredEvent, StoredLosses, StoredReading, StoredSpan } from "@whence/storage";
import { type BatchMessage, readBatchMessage, writeBatchMessage } from "../telemetry/batch-message.ts";
import type { HeldBatch } from "./held-batch.ts";
import { asSent, toStoredEvents, toStoredLosses, toStoredReadings, toStoredSpans } from "./to-stored-event.ts";

/** What a batch has beside its events, which is stored together: steps of traces, and states of its process. */
export interface BesideEvents {
  readonly spans: readonly StoredSpan[];
  readonly readings: readonly StoredReading[];
}

/**
 * The smallest unit that can be stored or refused: an event without its batch's dropped ranges, those ranges, or
 * what it has beside events.
 */
export interface Row {
  readonly batch: HeldBatch;
  readonly message: BatchMessage;
  readonly kept: StoredEvent | StoredLosses | BesideEvents;
}

export function isEvent(kept: Row["kept"]): kept is StoredEvent {
  return "event" in kept;
}

export function isBeside(kept: Row["kept"]): kept is BesideEvents {
  return "spans" in kept;
}

/** Returns the rows of a batch. */
export function rowsOf(batch: HeldBatch): Row[] {
  const message = readBatchMessage(batch.delivery.body);
  if ("unreadable" in message) return [];
  const losses = toStoredLosses(message);
  const events = toStoredEvents(message).map(({ dropped: _apart, ...event }) => event);
  const beside = { spans: toStoredSpans(message), readings: toStoredReadings(message) };
  const isEmpty = beside.spans.length + beside.readings.length === 0;
  const others = [...(losses === null ? [] : [losses]), ...(isEmpty ? [] : [beside])];
  return [...events, ...others].map((kept) => ({ batch, message, kept }));
}

/**
 * Returns some rows of a batch, starting with the given one, as a separate message. The same rows get the same id, so
 * that the queue accepts them once.
 */
export function partOf({ batch: { delivery }, message }: Row, rows: readonly Row[]): NewMessage {
  const events = rows.flatMap(({ kept }) => (isEvent(kept) ? asSent(kept) : []));
  const hasBeside = rows.some(({ kept }) => isBeside(kept));
  const hasLosses = events.length + (hasBeside ? 1 : 0) < rows.length;
  const { batch, ...messageHeader } = message;
  const { dropped, spans, readings, ...header } = batch;
  return {
    id: hash("sha256", JSON.stringify([delivery.id, hasLosses, hasBeside, events.map(({ id }) => id)])),
    body: writeBatchMessage(
      messageHeader,
      JSON.stringify({ ...header, ...(hasLosses && { dropped }), ...(hasBeside && { spans, readings }), events }),
    ),
  };
}
