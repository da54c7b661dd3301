import type { SettledPrediction, TakenPrediction } from "@whence/storage";
import type { Look, Seen } from "./look.ts";

/** What happened just before `due` may still be on its way: a client sends every few seconds, and a queue may wait. */
export const arrivalMs = 120_000;
/**
 * So many looks from the beginning to the end, no closer and no further apart than these; the first ones sooner, each
 * after as long again, since whoever acts on a report acts at its beginning.
 */
const looksPlanned = 24;
const lookIntervalMinMs = 300_000;
const lookIntervalMaxMs = 21_600_000;

type Planned = Pick<TakenPrediction, "watch" | "due">;

/** When a prediction that is still open is looked at next. */
export function nextLookAt({ watch, due }: Planned, now: number): Date {
  const from = Date.parse(watch.from);
  const planned = Math.min(lookIntervalMaxMs, (Date.parse(due) - from) / looksPlanned);
  const interval = Math.max(lookIntervalMinMs, Math.min(planned, now - from));
  const last = Date.parse(due) + arrivalMs;
  return new Date(now < last ? Math.min(now + interval, last) : now + lookIntervalMinMs);
}

/** Looks, and gives what is to be written; null when it stays open for now. */
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
