import type { SeenPlaces } from "../findings/verdict.ts";
import type { PlaceSubject } from "../signals/subject.ts";
import type { DecisivePlace } from "./decisive-signals.ts";
import type { FilePlace } from "./file-places.ts";
import type { RankedFile } from "./ranked-file.ts";
import type { Suspect } from "./suspect.ts";

/** The weight of what was seen to be the cause. */
const originWeight = 0.9;
/**
 * The weight of a call that left out what failed: by the code of mutants, 37 of 57 such calls are the mistake. That of
 * what a failing test ran is the same: of 57 such functions, 54 were in the file of the mistake.
 */
const likelyWeight = 0.65;
/** The share of its probability that a file keeps whose places were all seen to be well, or not to run. */
export const refutedKept = 0.1;

/** Adds the place where the failing value was seen first, or was left out; it outweighs what the code alone shows. */
export function withSeenOrigin(
  decisive: ReadonlyMap<string, DecisivePlace>,
  verdicts: SeenPlaces | undefined,
): ReadonlyMap<string, DecisivePlace> {
  const subject = verdicts?.originPlace ?? verdicts?.likelyPlace;
  const weight = verdicts?.originPlace ? originWeight : likelyWeight;
  return subject ? new Map([[subject.file, { subject, weight }]]) : decisive;
}

/** Returns the places that weren't refuted; all of them where each was. */
export function notRefuted(
  file: PlaceSubject["file"],
  places: readonly FilePlace[],
  verdicts: SeenPlaces | undefined,
): readonly FilePlace[] {
  if (!verdicts) return places;
  const left = places.filter(({ line }) => verdicts.of({ file, line })?.seen !== "refuted");
  return left.length > 0 ? left : places;
}

/** Adds to a suspect what was seen that shows it to be the cause. */
export function withSeen(suspect: Suspect, verdicts: SeenPlaces | undefined): Suspect {
  const verdict = verdicts?.about(suspect.subject);
  if (verdict?.seen !== "confirmed") return suspect;
  const observations = [verdict.observation, ...suspect.observations];
  return { ...suspect, weight: Math.max(suspect.weight, originWeight), observations };
}

/** Takes probability from files whose places were all refuted; all files together keep their sum. */
export function withoutRefuted(
  files: readonly RankedFile[],
  verdicts: SeenPlaces | undefined,
  placesOf: (file: RankedFile) => readonly FilePlace[],
): readonly RankedFile[] {
  if (!verdicts) return files;
  const isRefuted = (one: RankedFile): boolean =>
    placesOf(one).every(({ line }) => verdicts.of({ file: one.view.name, line })?.seen === "refuted");
  const kept = files.map((one) => (isRefuted(one) ? one.probability * refutedKept : one.probability));
  const before = files.reduce((sum, { probability }) => sum + probability, 0);
  const after = kept.reduce((sum, probability) => sum + probability, 0);
  const scale = after === 0 ? 1 : before / after;
  return files
    .map(({ view }, index) => ({ view, probability: (kept[index] ?? 0) * scale }))
    .toSorted((one, other) => other.probability - one.probability);
}
