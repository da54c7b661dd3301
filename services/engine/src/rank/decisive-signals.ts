import type { AnyCodeSignal } from "../signals/signal.ts";
import type { RankedFile } from "./rank-files.ts";

/**
 * What a resource that isn't released on every path is worth, 0 to 1; the tracer looks for these only when something
 * waited for one. It is rare in the cases that the model is trained on, so the weight is set by judgement, as those of
 * telemetry are; `pnpm bench rca --ablate` shows what it gains. Weights for other signals did harm there.
 */
const unreleasedWeight = 0.6;

/** How much signals that explain the failure on their own say for each file; files without one are left out. */
export function decisiveWeights(signals: readonly AnyCodeSignal[]): Map<string, number> {
  const telling = signals.filter(({ kind }) => kind === "unreleased-resource");
  return new Map(telling.map(({ subject }) => [subject.file, unreleasedWeight]));
}

/** Moves what decisive signals are worth to the files that hold them; all files together keep 1. */
export function withDecisiveSignals(
  files: readonly RankedFile[],
  signals: readonly AnyCodeSignal[],
): readonly RankedFile[] {
  const holding = decisiveWeights(signals);
  if (holding.size === 0) return files;
  return files
    .map(({ view, probability }) => ({
      view,
      probability: probability * (1 - unreleasedWeight) + (holding.get(view.name) ?? 0) / holding.size,
    }))
    .toSorted((left, right) => right.probability - left.probability);
}
