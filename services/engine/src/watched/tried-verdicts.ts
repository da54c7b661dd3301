import { filesOfDiff, linesChangedBy, patchedPath, type TriedPatch } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { quotedData } from "../findings/observe-input.ts";
import type { SeenPlaces, Verdict } from "../findings/verdict.ts";
import type { Fact } from "../signals/fact.ts";
import type { PlaceSubject } from "../signals/subject.ts";
import type { Traced } from "../trace/traced.ts";
import { CodeAt, type CodeUnit } from "./code-at.ts";

/** A place that a patch changes, and the function around it. */
interface ChangedPlace {
  readonly at: CodeUnit;
  readonly line: number;
}

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

/**
 * Adds to the verdicts of watched runs that a function contains the cause, when changing it alone repaired the command.
 * An origin that was seen takes precedence.
 */
export function withTried(
  watched: SeenPlaces | null,
  tried: readonly TriedPatch[],
  { files }: Pick<Traced, "files">,
  observedAt: string,
): SeenPlaces | null {
  const repairing = tried.find(({ outcome }) => outcome === "repaired");
  const observation = repairing && observeTrial(repairing, files, observedAt);
  if (!observation || watched?.originPlace) return watched;
  const code = new CodeAt(files);
  const [first, ...others] = changedBy(repairing, files, code);
  if (!first || others.some(({ at }) => at !== first.at)) return watched;
  const { file, function: changed } = first.at;
  const confirmed: Verdict = { seen: "confirmed", observation };
  const originPlace: PlaceSubject = {
    kind: "place",
    file,
    line: first.line,
    function: changed?.name ?? null,
    source: null,
  };
  const isChanged = ({ file: name, line }: Pick<PlaceSubject, "file" | "line">): boolean =>
    line !== null && code.around(name, line) === first.at;
  return {
    originPlace,
    likelyPlace: null,
    isLikely: () => false,
    followFrom: null,
    missingAt: (place) => watched?.missingAt(place) ?? null,
    of: (place) => (isChanged(place) ? confirmed : (watched?.of(place) ?? null)),
    about: (subject) =>
      subject.kind === "place" && isChanged(subject) ? confirmed : (watched?.about(subject) ?? null),
  };
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
