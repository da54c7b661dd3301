import type { ModelRecord } from "../findings/model-record.ts";
import type { ModelFinding } from "../signals/facts/model-finding.ts";

/**
 * What a model is trusted before anything is known of it: once in so many answers. Chosen on the recorded failures, so
 * that a model that is always wrong costs no figure more than two points.
 */
const prior = { right: 1, answers: 20 } as const;
/** Even a model that has always been right stays below what decisive evidence is worth. */
const weightMax = 0.6;

/**
 * Returns what a model's finding is worth, from 0 to {@link weightMax}: how often the model was right where the cause
 * was known, less where its independent runs disagree. Its own word about how sure it is counts nothing.
 */
export function modelWeight({ runs, of }: Pick<ModelFinding, "runs" | "of">, record: ModelRecord | undefined): number {
  const { right = 0, answers = 0 } = record ?? {};
  const share = (prior.right + right) / (prior.answers + answers);
  return Math.min(weightMax, share * (runs / of));
}
