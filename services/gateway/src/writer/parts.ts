import { hash } from "node:crypto";
import type {
  NewMessage,
  StoredEvent,
  StoredLosses,
  StoredMeasure,
  StoredReading,
  StoredSessions,
  StoredSpan,
} from "@whence/storage";
import { type BatchMessage, readBatchMessage, writeBatchMessage } from "../telemetry/batch-message.ts";
import type { HeldBatch } from "./held-batch.ts";
import {
  asSent,
  toStoredEvents,
  toStoredLosses,
  toStoredMeasures,
  toStoredReadings,
  toStoredSessions,
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

/** Sessions in a batch, and the place that they have there. */
interface SessionsOfBatch {
  readonly sessions: StoredSessions;
  readonly index: number;
}

/**
 * The smallest unit that can be stored or refused: an event without its batch's dropped ranges, those ranges, a step of
 * a trace, a state of its process, what a metric of it counts, or sessions.
 */
export interface Row {
  readonly batch: HeldBatch;
  readonly message: BatchMessage;
  readonly kept: StoredEvent | StoredLosses | SpanOfBatch | ReadingOfBatch | MeasureOfBatch | SessionsOfBatch;
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

export function isSessions(kept: Row["kept"]): kept is SessionsOfBatch {
  return "sessions" in kept;
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
  const sessions = toStoredSessions(message).map((some, index) => ({ sessions: some, index }));
  const all = [...events, ...(losses === null ? [] : [losses]), ...spans, ...readings, ...measures, ...sessions];
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
  const sessionsAt = rows.flatMap(({ kept }) => (isSessions(kept) ? kept.index : []));
  const { batch, ...messageHeader } = message;
  const { dropped, spans = [], readings = [], measures = [], sessions = [], ...header } = batch;
  const part = {
    ...header,
    ...(hasLosses && { dropped }),
    ...(spansAt.length > 0 && { spans: spansAt.flatMap((index) => spans[index] ?? []) }),
    ...(readingsAt.length > 0 && { readings: readingsAt.flatMap((index) => readings[index] ?? []) }),
    ...(sessionsAt.length > 0 && { sessions: sessionsAt.flatMap((index) => sessions[index] ?? []) }),
    ...(measuresAt.length > 0 && { measures: measuresAt.flatMap((index) => measures[index] ?? []) }),
    events,
  };
  return {
    id: hash(
      "sha256",
      JSON.stringify([delivery.id, hasLosses, spansAt, readingsAt, measuresAt, sessionsAt, events.map(({ id }) => id)]),
    ),
    body: writeBatchMessage(messageHeader, JSON.stringify(part)),
  };
}
