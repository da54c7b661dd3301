import { type Observed, type WatchPlace, watchedRunLimits, watchLimits } from "@whence/protocol";
import type { SeenPlaces } from "../findings/verdict.ts";
import type { Ranking } from "../rank/candidate.ts";
import type { Traced } from "../trace/traced.ts";
import { CodeAt, type CodeUnit } from "./code-at.ts";
import { testCallOf } from "./failed-test.ts";
import { valueAt } from "./value-route.ts";

/**
 * Returns the places to watch in the running program, the most telling first, with the digest of each file, so that no
 * other version of it is watched. Installed packages are left out. Only a few fields of an object are read there, so
 * those of the failing value are named.
 */
export function runningPlacesOf(traced: Traced, ranking: Ranking): WatchPlace[] {
  // The lines around a frame aren't a whole file.
  const isWhole = ({ source, isInstalled }: Traced["files"][number]): boolean =>
    !isInstalled && source.kind === "source_file";
  const own = new Map(traced.files.filter(isWhole).map(({ source }) => [source.name, source]));
  const code = new CodeAt(traced.files);
  const fields = fieldsByUnit(traced, code);
  return watchPlacesOf(traced, ranking, { runs: [] }, undefined)
    .flatMap((place) => {
      const sha256 = own.get(place.file)?.sha256;
      const at = code.around(place.file, place.line);
      const named = [...((at && fields.get(at)) ?? [])].slice(0, watchedRunLimits.fieldsPerPlaceMax);
      return sha256 === undefined ? [] : { ...place, sha256, ...(named.length > 0 && { fields: named }) };
    })
    .slice(0, watchLimits.watchPlacesMax);
}

/** Returns the fields through which each function reaches the failing value, as the code shows them. */
function fieldsByUnit({ signals }: Traced, code: CodeAt): Map<CodeUnit, Set<string>> {
  const found = new Map<CodeUnit, Set<string>>();
  for (const signal of signals) {
    const at = code.around(signal.subject.file, signal.subject.line);
    const [, ...fields] = valueAt(signal)?.path ?? [];
    if (at && fields.length > 0) found.set(at, new Set([...(found.get(at) ?? []), ...fields]));
  }
  return found;
}

/** Functions of one name, beyond which a call of it may be any of them. */
const sameNameMax = 3;

/**
 * Returns the places to watch in the next run, the most telling first: the call to follow, the test that failed, the
 * candidates, the trails of the failing value, the calls on the stack, the callers of watched calls, and the functions
 * that all of these call.
 */
export function watchPlacesOf(
  { signals, frames, files }: Traced,
  { candidates }: Ranking,
  { runs }: Observed,
  seen: SeenPlaces | undefined,
): WatchPlace[] {
  const code = new CodeAt(files);
  const read = new Set(files.map(({ source }) => source.name));
  const places = new Map<string, WatchPlace>();
  const functions = new Set<CodeUnit>();
  const add = (file: string, line: number | null, more: Pick<WatchPlace, "follow_from" | "is_test"> = {}): void => {
    if (line === null || !read.has(file) || places.size >= watchedRunLimits.watchedPlacesMax) return;
    const at = code.around(file, line);
    if (at) functions.add(at);
    const key = `${file}:${line}`;
    const place = { file, line, function: at?.function?.name ?? null, starts: at?.starts ?? null };
    if (!places.has(key)) places.set(key, { ...place, ...more });
  };
  const start = seen?.followFrom;
  if (start) add(start.file, start.line, { follow_from: start.nth });
  const test = testCallOf(frames);
  if (test?.place) add(test.file, test.place.line, { is_test: true });
  for (const { subject } of candidates) if (subject.kind === "place") add(subject.file, subject.line);
  for (const { file, place } of frames) add(file, place?.line ?? null);
  for (const { subject } of signals.toSorted((one, other) => one.steps - other.steps)) add(subject.file, subject.line);
  for (const { hits } of runs) {
    for (const { kind, file, line } of hits) if (kind === "threw") add(file, line);
    for (const { callers } of hits.toReversed()) for (const { file, line } of callers) add(file, line);
  }
  for (const { function: one } of [...functions]) {
    for (const name of one?.calls ?? []) {
      const called = code.named(name);
      if (called.length <= sameNameMax) for (const { file, starts } of called) add(file, starts);
    }
  }
  return [...places.values()];
}
