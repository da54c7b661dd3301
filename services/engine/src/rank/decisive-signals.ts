import type { AnyCodeSignal, PlaceSubject } from "../signals/signal.ts";
import { unreadView } from "./file-view.ts";
import type { RankedFile } from "./rank-files.ts";

/**
 * What signals that explain a failure on their own are worth, 0 to 1. They are rare in the cases that the model is
 * trained on, so their weights are set by judgement, as those of telemetry are; `pnpm bench rca --ablate` shows what
 * they gain. Weights for other signals did harm there.
 */
const weights = {
  /** A promise that nothing awaits, when the failure is a rejection that nothing handled: only events say so. */
  forgottenAwait: 0.7,
  /** A resource that isn't released on every path; the tracer looks for these only when something waited for one. */
  unreleased: 0.6,
  /** A data file that can't be parsed with the very words of the error, the position among them. */
  reportedBrokenFile: 0.9,
  /** A file whose text was read and couldn't be parsed, by the path that the code spells. A setting may name another. */
  namedFile: 0.55,
  /** The import of a module that isn't there, in the file that the runtime names. */
  missingModule: 0.8,
} as const;

/** A place that explains the failure on its own, and what that says for its file, 0 to 1. */
export interface DecisivePlace {
  readonly subject: PlaceSubject;
  readonly weight: number;
}

/** The strongest signal of each file that explains the failure on its own; files without one are left out. */
export function decisiveSignals(
  signals: readonly AnyCodeSignal[],
  isUnhandledRejection: boolean,
): ReadonlyMap<string, DecisivePlace> {
  const decisive = new Map<string, DecisivePlace>();
  for (const signal of signals) {
    const weight = weightOf(signal, isUnhandledRejection);
    const subject = placeOf(signal);
    if (weight > (decisive.get(subject.file)?.weight ?? 0)) decisive.set(subject.file, { subject, weight });
  }
  return decisive;
}

/** What a signal is about: its own place, or the file that is named there. */
export function placeOf(signal: AnyCodeSignal): PlaceSubject {
  if (signal.kind !== "named-file") return signal.subject;
  return { kind: "place", file: signal.args.file, line: null, function: null, source: null };
}

function weightOf(signal: AnyCodeSignal, isUnhandledRejection: boolean): number {
  if (signal.kind === "unreleased-resource") return weights.unreleased;
  if (signal.kind === "missing-module") return weights.missingModule;
  if (signal.kind === "named-file") return weights.namedFile;
  if (signal.kind === "broken-file") return signal.args.isReported ? weights.reportedBrokenFile : 0;
  const isForgotten = signal.kind === "missing-await" && signal.args.how === "forgotten";
  return isForgotten && isUnhandledRejection ? weights.forgottenAwait : 0;
}

/** Adds the files that decisive places are in and that nothing else leads to, because their text wasn't given. */
export function withNamedFiles(
  files: readonly RankedFile[],
  decisive: ReadonlyMap<string, DecisivePlace>,
): readonly RankedFile[] {
  const known = new Set(files.map(({ view }) => view.name));
  const others = [...decisive.keys()].filter((name) => !known.has(name));
  return [...files, ...others.map((name) => ({ view: unreadView(name), probability: 0 }))];
}

/** Moves what decisive places are worth to the files that hold them; all files together keep 1. */
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
