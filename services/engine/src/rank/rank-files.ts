import { failureFeatures } from "./failure-features.ts";
import { fileFeatures } from "./file-features.ts";
import type { FailureView, FileView } from "./file-view.ts";
import { evaluate, logistic, type RankingModel, softmax } from "./model.ts";

/** How likely it is that a file holds the cause; all files of a failure together have 1. */
export interface RankedFile {
  readonly view: FileView;
  readonly probability: number;
}

/** What the model is asked about a failure, and about each of its files. */
export interface FailureFeatures {
  readonly failure: Readonly<Record<string, number>>;
  readonly files: ReadonlyMap<FileView, Readonly<Record<string, number>>>;
}

export function featuresOf(view: FailureView): FailureFeatures {
  const failure = failureFeatures(view);
  const files = fileFeatures(view);
  return { failure, files: new Map([...files].map(([file, features]) => [file, { ...failure, ...features }])) };
}

/** First whether the cause is on the stack at all, then which file of each side; the most likely first. */
export function rankFiles(view: FailureView, model: RankingModel): RankedFile[] {
  const { failure, files } = featuresOf(view);
  const isOnStack = ({ frames }: FileView): boolean => frames.length > 0;
  const on = view.files.filter(isOnStack);
  const off = view.files.filter((file) => !isOnStack(file));
  const share = on.length === 0 ? 0 : off.length === 0 ? 1 : logistic(evaluate(model.gate, failure));
  const side = (members: readonly FileView[], name: "onStack" | "offStack", weight: number): RankedFile[] => {
    const scores = members.map((file) => evaluate(model[name], files.get(file) ?? {}));
    const shares = softmax(scores, model.sharpness[name]);
    return members.map((file, index) => ({ view: file, probability: weight * (shares[index] ?? 0) }));
  };
  return [...side(on, "onStack", share), ...side(off, "offStack", 1 - share)].toSorted(
    (left, right) => right.probability - left.probability,
  );
}
