import { pathInDiff, type UndoneChange } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { quotedData } from "../findings/observe-input.ts";
import type { SeenPlaces } from "../findings/verdict.ts";
import type { Fact } from "../signals/fact.ts";
import { undonePlacesMax } from "../signals/facts/undone-change.ts";
import type { Traced } from "../trace/traced.ts";
import { CodeAt } from "./code-at.ts";
import { type ChangedPlace, withRepairing } from "./repairing-places.ts";

/** Returns the evidence about a change without which the command passes. */
export function observeUndone(
  change: UndoneChange,
  traced: Pick<Traced, "files" | "frames">,
  observedAt: string,
): Observation<Fact<"undone-change">> {
  const { commit, diff, before, after } = change;
  const places = change.places.slice(0, undonePlacesMax);
  const undone = { commit, places, others: change.places.length - places.length, before, after };
  const [first] = placesIn(change, traced, new CodeAt(traced.files));
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
  traced: Pick<Traced, "files" | "frames">,
): SeenPlaces | null {
  const code = new CodeAt(traced.files);
  const places = placesIn(undone, traced, code);
  // A place in a file that isn't there, as one that was removed, may be needed as well.
  return withRepairing(watched, places, places.length === undone.places.length, code, observation);
}

/** Returns the places of a change in the code that was read, those nearest to where it failed first. */
function placesIn(
  { places }: UndoneChange,
  { files, frames }: Pick<Traced, "files" | "frames">,
  code: CodeAt,
): ChangedPlace[] {
  const depthOf = (file: string): number => {
    const depth = frames.findIndex((frame) => frame.file === file);
    return depth < 0 ? frames.length : depth;
  };
  return places
    .flatMap(({ file, line }) => {
      const changed = files.find(({ source: { name } }) => pathInDiff(name) === pathInDiff(file));
      const at = changed ? code.around(changed.source.name, line) : null;
      return at ? [{ at, line }] : [];
    })
    .toSorted((one, other) => depthOf(one.at.file) - depthOf(other.at.file));
}
