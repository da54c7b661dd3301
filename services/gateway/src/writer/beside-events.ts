import type { EventStore, StoredMeasure, StoredReading, StoredSessions, StoredSpan } from "@whence/storage";
import type { BatchMessage } from "../telemetry/batch-message.ts";
import { toStoredMeasures, toStoredReadings, toStoredSessions, toStoredSpans } from "./to-stored-event.ts";

/** What batches bring beside events and losses, by the names that it has in a batch. */
export interface BesideEvents {
  /** Steps of traces. */
  readonly spans: readonly StoredSpan[];
  /** States of processes that no heartbeat reports. */
  readonly readings: readonly StoredReading[];
  /** What metrics of processes count. */
  readonly measures: readonly StoredMeasure[];
  readonly sessions: readonly StoredSessions[];
}

export const besideNames = ["spans", "readings", "measures", "sessions"] as const;

/** One of them, and the place that it has in its batch. */
export interface BesideEvent {
  readonly name: (typeof besideNames)[number];
  readonly index: number;
  /** It alone. */
  readonly alone: BesideEvents;
}

const nothing: BesideEvents = { spans: [], readings: [], measures: [], sessions: [] };

/** Returns what a batch brings beside events. */
export function besideEventsOf(message: BatchMessage): BesideEvents {
  return {
    spans: toStoredSpans(message),
    readings: toStoredReadings(message),
    measures: toStoredMeasures(message),
    sessions: toStoredSessions(message),
  };
}

/** Returns all of it together. */
export function joined(all: readonly BesideEvents[]): BesideEvents {
  return {
    spans: all.flatMap(({ spans }) => spans),
    readings: all.flatMap(({ readings }) => readings),
    measures: all.flatMap(({ measures }) => measures),
    sessions: all.flatMap(({ sessions }) => sessions),
  };
}

/** Returns each of them apart. */
export function apart({ spans, readings, measures, sessions }: BesideEvents): readonly BesideEvent[] {
  return [
    ...spans.map((span, index) => ({ name: "spans" as const, index, alone: { ...nothing, spans: [span] } })),
    ...readings.map((one, index) => ({ name: "readings" as const, index, alone: { ...nothing, readings: [one] } })),
    ...measures.map((one, index) => ({ name: "measures" as const, index, alone: { ...nothing, measures: [one] } })),
    ...sessions.map((some, index) => ({ name: "sessions" as const, index, alone: { ...nothing, sessions: [some] } })),
  ];
}

/** Stores it. After a rejection, any part of it may have been stored; storing it again does no harm. */
export async function storeBeside(
  store: EventStore,
  { spans, readings, measures, sessions }: BesideEvents,
): Promise<void> {
  if (spans.length > 0) await store.insertSpans(spans);
  if (readings.length > 0) await store.insertReadings(readings);
  if (measures.length > 0) await store.insertMeasures(measures);
  if (sessions.length > 0) await store.insertSessions(sessions);
}
