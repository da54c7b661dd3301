import { z } from "zod";

const historySchema = z.object({
  events: z.int().min(0),
  minutes: z.int().min(0),
  release: z.string(),
  // Failures stored before it was kept have none.
  releases: z.array(z.string()).default([]),
  openedAt: z.string().nullable(),
  apart: z.literal(true).optional(),
  deferred: z.object({ rule: z.string(), reason: z.string() }).nullable(),
  window: z.object({ ms: z.number(), start: z.number(), count: z.number(), before: z.number(), peak: z.number() }),
});

/** A failure's state between occurrences: enough to detect a return and a spike, and small. */
export interface FailureHistory {
  /** Occurrences so far. */
  readonly events: number;
  /** Minutes with an occurrence. */
  readonly minutes: number;
  /** Of the latest occurrence. */
  readonly release: string;
  /** The releases in which it occurred, the first ones. */
  readonly releases: readonly string[];
  /** RFC 3339: when it opened its latest incident. Null: it never did. */
  readonly openedAt: string | null;
  /** Set while it should open an incident but can't yet. */
  readonly deferred: { readonly rule: string; readonly reason: string } | null;
  readonly window: RateWindow;
  /** Someone split it off from the incident that it had joined, so it never joins another. */
  readonly apart?: true;
}

/** Occurrences counted in windows of one length, by when they happened. */
export interface RateWindow {
  readonly ms: number;
  /** Milliseconds since the epoch at which the latest window began. */
  readonly start: number;
  /** In the latest window. */
  readonly count: number;
  /** In the one before it. */
  readonly before: number;
  /** The most in an earlier window, fading as time passes. */
  readonly peak: number;
}

/** Serializes a history for storage. */
export function writeHistory(history: FailureHistory): string {
  return JSON.stringify(history);
}

/** Parses a stored history. */
export function readHistory(text: string): FailureHistory {
  const { apart, ...history } = historySchema.parse(JSON.parse(text));
  return { ...history, ...(apart ? { apart } : {}) };
}

const keptMax = 100;
const keyLength = 10;

/** Whether the occurrence is one of the latest that were counted. */
export function isCounted(counted: string | null, eventId: string): boolean {
  return counted?.split(" ").includes(keyOf(eventId)) ?? false;
}

/** Adds the occurrence, dropping the oldest. */
export function withCounted(counted: string | null, eventId: string): string {
  const before = counted ? counted.split(" ") : [];
  return [...before.slice(1 - keptMax), keyOf(eventId)].join(" ");
}

/** The end of a UUIDv7 is its random part. */
function keyOf(eventId: string): string {
  return eventId.slice(-keyLength).replaceAll(" ", "");
}
