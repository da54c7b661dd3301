import type { SettledPrediction, TakenPrediction } from "@whence/storage";
import type { Look, Seen } from "./look.ts";

/** Telemetry from just before `due` may still be on its way: a client sends every few seconds, and then it waits in a queue. */
export const arrivalMs = 120_000;
/**
 * The number of looks from beginning to end, and the shortest and longest time between two. The first ones come sooner,
 * doubling in distance, because people act on a report early.
 */
const looksPlanned = 24;
const lookIntervalMinMs = 300_000;
const lookIntervalMaxMs = 21_600_000;

type Planned = Pick<TakenPrediction, "watch" | "due">;

/** Returns when a prediction that is still open is checked next. */
export function nextLookAt({ watch, due }: Planned, now: number): Date {
  const from = Date.parse(watch.from);
  const planned = Math.min(lookIntervalMaxMs, (Date.parse(due) - from) / looksPlanned);
  const interval = Math.max(lookIntervalMinMs, Math.min(planned, now - from));
  const last = Date.parse(due) + arrivalMs;
  return new Date(now < last ? Math.min(now + interval, last) : now + lookIntervalMinMs);
}

/** Looks, and returns what to store; null while the prediction stays open. */
export async function settledFrom(
  { watch, due }: Planned,
  now: number,
  see: (look: Omit<Look, "events">) => Promise<Seen>,
): Promise<SettledPrediction | null> {
  const isDue = now >= Date.parse(due) + arrivalMs;
  const {
    outcome,
    reason,
    counts,
    excerpt = null,
  } = await see({
    from: Date.parse(watch.from),
    to: Math.min(now, Date.parse(due)),
    isDue,
  });
  if (outcome === "open" && !isDue) return null;
  const state = outcome === "open" ? "undecided" : outcome;
  return { state, result: { at: new Date(now).toISOString(), reason, counts: { ...counts }, excerpt } };
}
