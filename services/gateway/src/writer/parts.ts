import { hash } from "node:crypto";
import type { NewMessage, StoredEvent, StoredLosses, StoredMeasure, StoredReading, StoredSpan } from "@whence/storage";
import { type BatchMessage, readBatchMessage, writeBatchMessage } from "../telemetry/batch-message.ts";
import type { HeldBatch } from "./held-batch.ts";
import {
  asSent,
  toStoredEvents,
  toStoredLosses,
  toStoredMeasures,
  toStoredReadings,
  toStoredSpans,
} from "./to-stored-event.ts";

/** A step of a trace in a batch, and the place that it has there. */
interface SpanOfBatch {
  readonly span: StoredSpan;
  readonly index: number;
}

/** A state of its process in a batch, and the place that it has there. */
interface ReadingOfBatch {
  readonly reading: StoredReading;
  readonly index: number;
}

/** What a metric of its process counts in a batch, and the place that it has there. */
interface MeasureOfBatch {
  readonly measure: StoredMeasure;
  readonly index: number;
}

/**
 * The smallest unit that can be stored or refused: an event without its batch's dropped ranges, those ranges, a step of
 * a trace, a state of its process, or what a metric of it counts.
 */
export interface Row {
  readonly batch: HeldBatch;
  readonly message: BatchMessage;
  readonly kept: StoredEvent | StoredLosses | SpanOfBatch | ReadingOfBatch | MeasureOfBatch;
}

export function isEvent(kept: Row["kept"]): kept is StoredEvent {
  return "event" in kept;
}

export function isSpan(kept: Row["kept"]): kept is SpanOfBatch {
  return "span" in kept;
}

export function isReading(kept: Row["kept"]): kept is ReadingOfBatch {
  return "reading" in kept;
}

export function isMeasure(kept: Row["kept"]): kept is MeasureOfBatch {
  return "measure" in kept;
}

export function isLosses(kept: Row["kept"]): kept is StoredLosses {
  return "dropped" in kept && !isEvent(kept);
}

/** Returns the rows of a batch. */
export function rowsOf(batch: HeldBatch): Row[] {
  const message = readBatchMessage(batch.delivery.body);
  if ("unreadable" in message) return [];
  const losses = toStoredLosses(message);
  const events = toStoredEvents(message).map(({ dropped: _apart, ...event }) => event);
  const spans = toStoredSpans(message).map((span, index) => ({ span, index }));
  const readings = toStoredReadings(message).map((reading, index) => ({ reading, index }));
  const measures = toStoredMeasures(message).map((measure, index) => ({ measure, index }));
  const all = [...events, ...(losses === null ? [] : [losses]), ...spans, ...readings, ...measures];
  return all.map((kept) => ({ batch, message, kept }));
}

/**
 * Returns some rows of a batch, starting with the given one, as a separate message. The same rows get the same id, so
 * that the queue accepts them once.
 */
export function partOf({ batch: { delivery }, message }: Row, rows: readonly Row[]): NewMessage {
  const events = rows.flatMap(({ kept }) => (isEvent(kept) ? asSent(kept) : []));
  const hasLosses = rows.some(({ kept }) => isLosses(kept));
  const spansAt = rows.flatMap(({ kept }) => (isSpan(kept) ? kept.index : []));
  const readingsAt = rows.flatMap(({ kept }) => (isReading(kept) ? kept.index : []));
  const measuresAt = rows.flatMap(({ kept }) => (isMeasure(kept) ? kept.index : []));
  const { batch, ...messageHeader } = message;
  const { dropped, spans = [], readings = [], measures = [], ...header } = batch;
  const part = {
    ...header,
    ...(hasLosses && { dropped }),
    ...(spansAt.length > 0 && { spans: spansAt.flatMap((index) => spans[index] ?? []) }),
    ...(readingsAt.length > 0 && { readings: readingsAt.flatMap((index) => readings[index] ?? []) }),
    ...(measuresAt.length > 0 && { measures: measuresAt.flatMap((index) => measures[index] ?? []) }),
    events,
  };
  return {
    id: hash(
      "sha256",
      JSON.stringify([delivery.id, hasLosses, spansAt, readingsAt, measuresAt, events.map(({ id }) => id)]),
    ),
    body: writeBatchMessage(messageHeader, JSON.stringify(part)),
  };
}
