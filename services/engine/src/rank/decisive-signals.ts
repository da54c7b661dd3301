import type { AnyCodeSignal } from "../signals/signal.ts";
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
} as const;

/** How much signals that explain the failure on their own say for each file; files without one are left out. */
export function decisiveWeights(
  signals: readonly AnyCodeSignal[],
  isUnhandledRejection: boolean,
): ReadonlyMap<string, number> {
  const worth = new Map<string, number>();
  for (const signal of signals) {
    const weight = weightOf(signal, isUnhandledRejection);
    const { file } = signal.subject;
    if (weight > (worth.get(file) ?? 0)) worth.set(file, weight);
  }
  return worth;
}

function weightOf(signal: AnyCodeSignal, isUnhandledRejection: boolean): number {
  if (signal.kind === "unreleased-resource") return weights.unreleased;
  const isForgotten = signal.kind === "missing-await" && signal.args.how === "forgotten";
  return isForgotten && isUnhandledRejection ? weights.forgottenAwait : 0;
}

/** Moves what decisive signals are worth to the files that hold them; all files together keep 1. */
export function withDecisiveSignals(
  files: readonly RankedFile[],
  worth: ReadonlyMap<string, number>,
): readonly RankedFile[] {
  if (worth.size === 0) return files;
  const moved = Math.max(...worth.values());
  const total = [...worth.values()].reduce((sum, weight) => sum + weight, 0);
  return files
    .map(({ view, probability }) => ({
      view,
      probability: probability * (1 - moved) + (moved * (worth.get(view.name) ?? 0)) / total,
    }))
    .toSorted((left, right) => right.probability - left.probability);
}
