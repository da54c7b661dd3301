import { type AnyCodeSignal, decisiveWeight, namedFile } from "../signals/signal.ts";
import type { PlaceSubject } from "../signals/subject.ts";
import { unreadView } from "./file-view.ts";
import type { RankedFile } from "./ranked-file.ts";

/** A place that explains the failure on its own, and its weight for its file, from 0 to 1. */
export interface DecisivePlace {
  readonly subject: PlaceSubject;
  readonly weight: number;
}

/** Returns the strongest decisive signal of each file; files without one are left out. */
export function decisiveSignals(
  signals: readonly AnyCodeSignal[],
  isUnhandledRejection: boolean,
): ReadonlyMap<string, DecisivePlace> {
  const decisive = new Map<string, DecisivePlace>();
  for (const signal of signals) {
    const weight = decisiveWeight(signal, { isUnhandledRejection });
    const subject = placeOf(signal);
    if (weight > (decisive.get(subject.file)?.weight ?? 0)) decisive.set(subject.file, { subject, weight });
  }
  return decisive;
}

/** Returns, by file, the weight of each kind of decisive signal. */
export function decisiveWeightsByKind(
  signals: readonly AnyCodeSignal[],
  isUnhandledRejection: boolean,
): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const byFile = Map.groupBy(signals, (signal) => placeOf(signal).file);
  return new Map(
    [...byFile].flatMap(([file, own]) => {
      const weights = own.map((signal) => [signal.kind, decisiveWeight(signal, { isUnhandledRejection })] as const);
      const decisive = weights.filter(([, weight]) => weight > 0);
      return decisive.length === 0 ? [] : [[file, Object.fromEntries(decisive)] as const];
    }),
  );
}

/** Returns the place that a signal is about: its own, or the file named there. */
export function placeOf(signal: AnyCodeSignal): PlaceSubject {
  const file = namedFile(signal);
  return file === null ? signal.subject : { kind: "place", file, line: null, function: null, source: null };
}

/** Adds the files of decisive places that nothing else leads to, because their text wasn't given. */
export function withNamedFiles(
  files: readonly RankedFile[],
  decisive: ReadonlyMap<string, DecisivePlace>,
): readonly RankedFile[] {
  const known = new Set(files.map(({ view }) => view.name));
  const others = [...decisive.keys()].filter((name) => !known.has(name));
  return [...files, ...others.map((name) => ({ view: unreadView(name), probability: 0 }))];
}

/** Moves the weight of decisive places to their files; all files together keep a sum of 1. */
export function withDecisivePlaces(
  files: readonly RankedFile[],
  decisive: ReadonlyMap<string, DecisivePlace>,
): readonly RankedFile[] {
  if (decisive.size === 0) return files;
  const weights = [...decisive.values()].map(({ weight }) => weight);
  const moved = Math.max(...weights);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return files
    .map(({ view, probability }) => ({
      view,
      probability: probability * (1 - moved) + (moved * (decisive.get(view.name)?.weight ?? 0)) / total,
    }))
    .toSorted((left, right) => right.probability - left.probability);
}
