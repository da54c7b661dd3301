import type { Departures } from "@whence/engine/ranking";

/** Something that a model had ahead of the innermost call. */
export interface SeenDeparture {
  readonly corpus: string;
  /** How far it was ahead: how much likelier the file was, or how much higher the place scored. */
  readonly by: number;
  /** 1 where only it was right, -1 where only the innermost call was, else 0. */
  readonly gain: number;
  readonly weight: number;
}

/** A file that was likelier than the project's innermost one. */
export interface SeenFileDeparture extends SeenDeparture {
  readonly sight: string;
  /** Where it is, as the engine names it. */
  readonly where: string;
}

/** More than anything is ahead by. */
const never = 1_000;
const timesLikelier = [1, 1.25, 1.5, 2, 3, 4, 8, 16, never];
const leads = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, never];
/** What all sights have in common counts as so many cases of each. */
const sharedCases = 20;

/**
 * Fits how far a file or a place must be ahead of the innermost call, so that most answers are right. A sight of few
 * cases stays near the others. In no corpus of what is fitted may more answers get wrong than right by it.
 */
export function fitDepartures(files: readonly SeenFileDeparture[], places: readonly SeenDeparture[]): Departures {
  const file: Record<string, number> = {};
  for (const [where, seen] of Map.groupBy(files, (one) => one.where)) {
    const shared = leastAhead(seen, timesLikelier);
    file[where] = shared;
    for (const [sight, own] of Map.groupBy(seen, (one) => one.sight)) {
      const least = leastAhead(own, timesLikelier, (step) => (sharedCases * gainFrom(seen, step)) / weightOf(seen));
      if (least !== shared) file[`${sight} ${where}`] = least;
    }
  }
  return { file, place: leastAhead(places, leads) };
}

/** Returns the step with the greatest gain; of equal ones, the largest, which leaves the innermost call least often. */
function leastAhead(
  seen: readonly SeenDeparture[],
  steps: readonly number[],
  known: (step: number) => number = () => 0,
): number {
  const corpora = [...Map.groupBy(seen, ({ corpus }) => corpus).values()];
  const harmless = steps.filter((step) => corpora.every((own) => gainFrom(own, step) >= 0));
  const gain = (step: number): number => gainFrom(seen, step) + known(step);
  return harmless.toSorted((one, other) => gain(other) - gain(one) || other - one)[0] ?? never;
}

function gainFrom(seen: readonly SeenDeparture[], step: number): number {
  return seen.reduce((sum, { by, gain, weight }) => sum + (by >= step ? gain * weight : 0), 0);
}

function weightOf(seen: readonly SeenDeparture[]): number {
  return seen.reduce((sum, { weight }) => sum + weight, 0);
}
