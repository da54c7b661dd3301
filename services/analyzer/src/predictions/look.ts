import { dayMs, type PredictionOutcome, type Watch } from "@whence/protocol";
import type { Circumstances, ScopedEvents, SpreadCount } from "@whence/storage";

/** One look at the telemetry that a prediction is about. Times are in milliseconds since 1970. */
export interface Look {
  readonly events: ScopedEvents;
  /** The start of the span in which events count. */
  readonly from: number;
  /** The end of the span: now, or when the prediction was due. */
  readonly to: number;
  /** Whether this is the last look: all the telemetry has arrived. */
  readonly isDue: boolean;
}

/**
 * The result of a look. The reason of `open` names what is missing or, at the last look, why the prediction can't be
 * decided.
 */
export interface Seen {
  readonly outcome: PredictionOutcome;
  readonly reason: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly excerpt?: string | null;
}

/** Checks the predictions of one kind. */
export type Check<Kind extends Watch["kind"]> = (watch: WatchOf<Kind>, look: Look) => Promise<Seen>;
export type WatchOf<Kind extends Watch["kind"]> = Extract<Watch, { readonly kind: Kind }>;

/** How far back the telemetry from before the report is read. */
const beforeMs = dayMs;
const examplesRead = 50;

type Dimension = Exclude<SpreadCount["dimension"], "total">;

/** How failures and heartbeats spread over the values of one dimension. */
export type Spread = readonly SpreadCount[];

/** The spread within the prediction's span. */
export function spreadSince(watch: Watch, look: Look, dimension: Dimension): Promise<Spread> {
  return spreadIn(watch, look, dimension, look.from, look.to);
}

/** The spread on the day before it. */
export function spreadBefore(watch: Watch, look: Look, dimension: Dimension): Promise<Spread> {
  return spreadIn(watch, look, dimension, look.from - beforeMs, look.from);
}

/** The spread within any span. */
export async function spreadIn(
  watch: Watch,
  { events }: Look,
  dimension: Dimension,
  from: number,
  to: number,
): Promise<Spread> {
  const counts = await events.spread({ ...subjectOf(watch), from: iso(from), to: iso(to) });
  return counts.filter((count) => count.dimension === dimension);
}

/** Returns the newest events of the failure in the prediction's span. */
export function examples(watch: Watch, { events, from, to }: Look): Promise<readonly Circumstances[]> {
  return events.circumstances({ ...subjectOf(watch), from: iso(from), to: iso(to), limit: examplesRead });
}

/** Returns the newest event that the check is about, in one line; null without one. */
export async function exampleWhere(
  watch: Watch,
  look: Look,
  isMeant: (event: Circumstances) => boolean,
): Promise<string | null> {
  const event = (await examples(watch, look)).find(isMeant);
  return event ? quote(event) : null;
}

/** Returns an event in one line. */
export function quote({ at, id, release, host, route, message }: Circumstances): string {
  const where = [release && `release ${release}`, host && `host ${host}`, route && `route ${route}`].filter(Boolean);
  return `${at} event ${id} (${where.join(", ")}): ${message}`;
}

function subjectOf({ service, env, fingerprint }: Watch) {
  return { service, env, fingerprint };
}

/** Returns RFC 3339. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns `once` or `3 times`. */
export function timesText(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
