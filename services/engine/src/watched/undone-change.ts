import { linesChangedBy, type UndoneChange } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { quotedData } from "../findings/observe-input.ts";
import type { SeenPlaces } from "../findings/verdict.ts";
import type { Fact } from "../signals/fact.ts";
import { undonePlacesMax } from "../signals/facts/undone-change.ts";
import type { Traced } from "../trace/traced.ts";
import { changedPlacesIn, partsOf, withRepairing } from "./changed-places.ts";
import { CodeAt } from "./code-at.ts";

/** Returns the evidence about a change without which the command passes; null where its diff isn't one. */
export function observeUndone(
  { commit, diff, before, after }: UndoneChange,
  files: Traced["files"],
  observedAt: string,
): Observation<Fact<"undone-change">> | null {
  const places = partsOf(diff).flatMap(({ path, part }) =>
    linesChangedBy(part).map((line) => ({ file: path, line: Math.max(1, line) })),
  );
  if (places.length === 0) return null;
  const [first] = changedPlacesIn(diff, files, new CodeAt(files));
  const named = places.slice(0, undonePlacesMax);
  const undone = { commit, places: named, others: places.length - named.length, before, after };
  return {
    source: { kind: "observed", name: "change undone" },
    observed_at: observedAt,
    fact: { kind: "undone-change", undone },
    location: first ? { file: first.at.file, line: first.line, function: first.at.function?.name ?? null } : null,
    ...quotedData({ ...undone, diff }),
  };
}

/** Adds to the verdicts of watched runs which change makes the command fail. */
export function withUndone(
  watched: SeenPlaces | null,
  undone: UndoneChange,
  observation: Observation,
  { files, frames }: Pick<Traced, "files" | "frames">,
): SeenPlaces | null {
  const code = new CodeAt(files);
  const depthOf = (file: string): number => {
    const depth = frames.findIndex((frame) => frame.file === file);
    return depth < 0 ? frames.length : depth;
  };
  // The change nearest to where it failed comes first.
  const places = changedPlacesIn(undone.diff, files, code).toSorted(
    (one, other) => depthOf(one.at.file) - depthOf(other.at.file),
  );
  return withRepairing(watched, places, code, observation);
}
