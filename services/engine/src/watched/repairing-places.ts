import type { Observation } from "../findings/observation.ts";
import type { SeenPlaces, Verdict } from "../findings/verdict.ts";
import type { PlaceSubject } from "../signals/subject.ts";
import type { CodeAt, CodeUnit } from "./code-at.ts";

/** A place that a change touches, and the function around it. */
export interface ChangedPlace {
  readonly at: CodeUnit;
  readonly line: number;
}

/** Functions with a change, where the first is still likely: of more, it is as good as any. */
const likelyUnitsMax = 3;

/**
 * Adds to the verdicts of watched runs that the command passes when these places alone are changed. If these are all
 * places and are in one function, it contains the cause, unless an origin was seen. Otherwise, the first one is likely,
 * unless there are too many to tell.
 */
export function withRepairing(
  watched: SeenPlaces | null,
  [first, ...others]: readonly ChangedPlace[],
  areAll: boolean,
  code: CodeAt,
  observation: Observation,
): SeenPlaces | null {
  if (!first || watched?.originPlace) return watched;
  const units = new Set([first, ...others].map(({ at }) => at));
  if (units.size > likelyUnitsMax) return watched;
  const unitOf = ({ file, line }: Pick<PlaceSubject, "file" | "line">): CodeUnit | null =>
    line === null ? null : code.around(file, line);
  const isChanged = (place: Pick<PlaceSubject, "file" | "line">): boolean => {
    const unit = unitOf(place);
    return unit !== null && units.has(unit);
  };
  const isOne = areAll && units.size === 1;
  const changed: PlaceSubject = {
    kind: "place",
    file: first.at.file,
    line: first.line,
    function: first.at.function?.name ?? null,
    source: null,
  };
  const verdict: Verdict = { seen: "confirmed", observation };
  const of: SeenPlaces["of"] = (place) => (isOne && isChanged(place) ? verdict : (watched?.of(place) ?? null));
  return {
    originPlace: isOne ? changed : null,
    likelyPlace: isOne ? null : changed,
    isLikely: (place) => !isOne && unitOf(place) === first.at,
    followFrom: watched?.followFrom ?? null,
    missingAt: (place) => (!isOne && isChanged(place) ? observation : (watched?.missingAt(place) ?? null)),
    of,
    about: (subject) => (subject.kind === "place" ? of(subject) : (watched?.about(subject) ?? null)),
  };
}
