import type { AnyCodeSignal, ValueSource } from "../signals/signal.ts";
import type { RankedFile } from "./rank-files.ts";

/**
 * What signals that explain a failure on their own are worth, 0 to 1. They are rare in the cases that the model is
 * trained on, so their weights are set by judgement, as those of telemetry are. `pnpm bench rca` shows that they do no
 * harm there; a weight for missing settings did, so there is none.
 */
const weights = {
  /** A promise that nothing awaits, when the failure is a rejection that nothing handled. */
  forgottenAwait: 0.7,
  /** A resource that isn't released on every path; the tracer looks for these only when something waited for one. */
  unreleased: 0.6,
  /** The failing value is read from another service's answer that was taken over unchecked. */
  answerField: 0.45,
} as const;

const answers: ReadonlySet<ValueSource> = new Set(["answer-field", "outside-answer"]);

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
  if (signal.kind === "unreleased-resource") return weights.unreleased;
  const isOfAnswer = signal.kind === "value-step" && answers.has(signal.args.how);
  return isOfAnswer && signal.isEnd ? weights.answerField : 0;
}
