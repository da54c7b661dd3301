import { hash } from "node:crypto";
import type { NewMessage, StoredEvent, StoredLosses } from "@whence/storage";
import { type BatchMessage, readBatchMessage, writeBatchMessage } from "../telemetry/batch-message.ts";
import { apart, type BesideEvent, besideEventsOf, besideNames } from "./beside-events.ts";
import type { HeldBatch } from "./held-batch.ts";
import { asSent, toStoredEvents, toStoredLosses } from "./to-stored-event.ts";

/**
 * The smallest unit that can be stored or refused: an event without its batch's dropped ranges, those ranges, or one of
 * what its batch brings beside events.
 */
export interface Row {
  readonly batch: HeldBatch;
  readonly message: BatchMessage;
  readonly kept: StoredEvent | StoredLosses | BesideEvent;
}

export function isEvent(kept: Row["kept"]): kept is StoredEvent {
  return "event" in kept;
}

export function isBeside(kept: Row["kept"]): kept is BesideEvent {
  return "alone" in kept;
}

export function isLosses(kept: Row["kept"]): kept is StoredLosses {
  return !isEvent(kept) && !isBeside(kept);
}

/** Returns the rows of a batch. */
export function rowsOf(batch: HeldBatch): Row[] {
  const message = readBatchMessage(batch.delivery.body);
  if ("unreadable" in message) return [];
  const losses = toStoredLosses(message);
  const events = toStoredEvents(message).map(({ dropped: _apart, ...event }) => event);
  const all = [...events, ...(losses === null ? [] : [losses]), ...apart(besideEventsOf(message))];
  return all.map((kept) => ({ batch, message, kept }));
}

/**
 * Returns some rows of a batch, starting with the given one, as a separate message. The same rows get the same id, so
 * that the queue accepts them once.
 */
export function partOf({ batch: { delivery }, message }: Row, rows: readonly Row[]): NewMessage {
  const events = rows.flatMap(({ kept }) => (isEvent(kept) ? asSent(kept) : []));
  const hasLosses = rows.some(({ kept }) => isLosses(kept));
  const beside = rows.flatMap(({ kept }) => (isBeside(kept) ? [{ name: kept.name, index: kept.index }] : []));
  const { batch, ...messageHeader } = message;
  const { dropped, spans: _spans, readings: _readings, measures: _measures, sessions: _sessions, ...header } = batch;
  const kept = besideNames.map((name) => {
    const own = beside.filter((one) => one.name === name);
    return [name, own.flatMap(({ index }) => batch[name]?.[index] ?? [])] as const;
  });
  const part = {
    ...header,
    ...(hasLosses && { dropped }),
    ...Object.fromEntries(kept.filter(([, some]) => some.length > 0)),
    events,
  };
  return {
    id: hash("sha256", JSON.stringify([delivery.id, hasLosses, beside, events.map(({ id }) => id)])),
    body: writeBatchMessage(messageHeader, JSON.stringify(part)),
  };
}
