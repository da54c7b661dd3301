import type { Departures } from "@whence/engine/ranking";

/** Something that a model had ahead of the innermost call: a file, or a place in a file. */
export interface SeenDeparture {
  /** What it is and where, as the engine names it. */
  readonly where: string;
  readonly corpus: string;
  /** How far it was ahead: how much likelier a file was, or how much higher a place scored. */
  readonly by: number;
  /** 1 where only it was right, -1 where only the innermost call was, else 0. */
  readonly gain: number;
  readonly weight: number;
}

/** More than almost anything is ahead by. */
const never = 1_000;
const timesLikelier = [1, 1.25, 1.5, 2, 3, 4, 8, 16, never];
const leads = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, never];
const stepsOf: Readonly<Record<string, readonly number[]>> = {
  // In a program of a few lines, no file is far likelier than the one that a plain trail leads to, and no place either.
  place: leads.filter((lead) => lead <= 0.4),
  origin: [1],
  led: [1],
  // Without evidence, the order of the stack stands.
  unled: timesLikelier.filter((times) => times >= 2),
};
/** More than chance explains. */
const deviations = 2;
/**
 * Fits how far a file or a place must be ahead of the innermost call, so that most answers are right. In no corpus may
 * more answers get wrong than right by it, beyond what chance explains. Fitted for each language, and for what is seen
 * of the code, fewer answers on groups that weren't seen are right.
 */
export function fitDepartures(seen: readonly SeenDeparture[]): Departures {
  const byPlace = Map.groupBy(seen, ({ where }) => where);
  return Object.fromEntries(
    [...byPlace].map(([where, own]) => [where, leastAhead(own, stepsOf[where] ?? timesLikelier)]),
  );
}

/** Returns the step with the greatest gain; of equal ones, the largest, which leaves the innermost call least often. */
function leastAhead(seen: readonly SeenDeparture[], steps: readonly number[]): number {
  const corpora = [...Map.groupBy(seen, ({ corpus }) => corpus).values()];
  const harmless = steps.filter((step) => corpora.every((own) => !isHarmed(own, step)));
  return harmless.toSorted((one, other) => gainFrom(seen, other) - gainFrom(seen, one) || other - one)[0] ?? never;
}

/** Whether more answers get wrong than right, by more than two standard deviations of as many throws of a coin. */
function isHarmed(seen: readonly SeenDeparture[], step: number): boolean {
  const changed = seen.filter(({ by, gain }) => by >= step && gain !== 0);
  const gain = changed.reduce((sum, one) => sum + one.gain, 0);
  return -gain > deviations * Math.sqrt(changed.length);
}

function gainFrom(seen: readonly SeenDeparture[], step: number): number {
  return seen.reduce((sum, { by, gain, weight }) => sum + (by >= step ? gain * weight : 0), 0);
}
