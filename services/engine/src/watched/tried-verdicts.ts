import { filesOfDiff, linesChangedBy, patchedPath, type TriedPatch } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { quotedData } from "../findings/observe-input.ts";
import type { SeenPlaces } from "../findings/verdict.ts";
import type { Fact } from "../signals/fact.ts";
import type { Traced } from "../trace/traced.ts";
import { CodeAt } from "./code-at.ts";
import { type ChangedPlace, withRepairing } from "./repairing-places.ts";

/** Returns the evidence about a tried patch; null where it changes nothing that was read. */
export function observeTrial(
  tried: TriedPatch,
  files: Traced["files"],
  observedAt: string,
): Observation<Fact<"tried-patch">> | null {
  const [first] = changedBy(tried, files, new CodeAt(files));
  if (!first) return null;
  const { diff, outcome, before, after } = tried;
  const location = { file: first.at.file, line: first.line, function: first.at.function?.name ?? null };
  return {
    source: { kind: "observed", name: "tried patch" },
    observed_at: observedAt,
    fact: { kind: "tried-patch", tried: { place: location, outcome, before, after } },
    location,
    ...quotedData({ ...location, outcome, before, after, diff }),
  };
}

/** Adds to the verdicts of watched runs what a patch repaired. */
export function withTried(
  watched: SeenPlaces | null,
  tried: readonly TriedPatch[],
  { files }: Pick<Traced, "files">,
  observedAt: string,
): SeenPlaces | null {
  const repairing = tried.find(({ outcome }) => outcome === "repaired");
  const observation = repairing && observeTrial(repairing, files, observedAt);
  if (!observation) return watched;
  const code = new CodeAt(files);
  return withRepairing(watched, changedBy(repairing, files, code), true, code, observation);
}

function changedBy({ diff }: TriedPatch, files: Traced["files"], code: CodeAt): ChangedPlace[] {
  return partsOf(diff).flatMap(({ path, part }) => {
    const changed = files.find(({ source: { name: file, path: own } }) => patchedPath({ file, path: own }) === path);
    const name = changed?.source.name;
    if (name === undefined) return [];
    return linesChangedBy(part).flatMap((line) => {
      const at = code.around(name, Math.max(1, line));
      return at ? [{ at, line: Math.max(1, line) }] : [];
    });
  });
}

/** What a client sends as a diff may be none. */
function partsOf(diff: string): ReturnType<typeof filesOfDiff> {
  try {
    return filesOfDiff(diff);
  } catch {
    return [];
  }
}
