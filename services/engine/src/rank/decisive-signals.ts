import type { AnyCodeSignal } from "../signals/signal.ts";
import type { RankedFile } from "./rank-files.ts";

/**
 * What signals that explain a failure on their own are worth, 0 to 1. They are rare in the cases that the model is
 * trained on, so their weights are set by judgement, as those of telemetry are. Measured by `pnpm bench rca`: the same
 * for missing settings and for fields of answers gained nothing there.
 */
const weights = {
  /** A promise that nothing awaits, when the failure is a rejection that nothing handled. */
  forgottenAwait: 0.7,
  /** A resource that isn't released on every path; the tracer looks for these only when something waited for one. */
  unreleased: 0.6,
} as const;

/** Moves what decisive signals are worth to the files that hold them; all files together keep 1. */
export function withDecisiveSignals(
  files: readonly RankedFile[],
  signals: readonly AnyCodeSignal[],
  isUnhandledRejection: boolean,
): RankedFile[] {
  const worth = new Map<string, number>();
  for (const signal of signals) {
    const weight = weightOf(signal, isUnhandledRejection);
    if (weight > (worth.get(signal.subject.file) ?? 0)) worth.set(signal.subject.file, weight);
  }
  const total = [...worth.values()].reduce((sum, weight) => sum + weight, 0);
  const moved = Math.max(0, ...worth.values());
  if (total === 0) return [...files];
  return files
    .map(({ view, probability }) => ({
      view,
      probability: probability * (1 - moved) + (moved * (worth.get(view.name) ?? 0)) / total,
    }))
    .toSorted((left, right) => right.probability - left.probability);
}

function weightOf(signal: AnyCodeSignal, isUnhandledRejection: boolean): number {
  if (signal.kind === "missing-await")
    return isUnhandledRejection && signal.args.how === "forgotten" ? weights.forgottenAwait : 0;
  return signal.kind === "unreleased-resource" ? weights.unreleased : 0;
}
