import { comparedFeatures } from "../signals/code/ranking-features.ts";
import { failureFeatures } from "./failure-features.ts";
import { fileFeatures } from "./file-features.ts";
import type { FailureView, FileView } from "./file-view.ts";
import { evaluate, type RankingModel, softmax } from "./model.ts";

/** The probability that a file contains the cause; all files of a failure add up to 1. */
export interface RankedFile {
  readonly view: FileView;
  readonly probability: number;
}

/**
 * The features that show whether the cause is on the stack at all: the strongest tie of any file on it, and of any file
 * off it.
 */
const tiesCompared = ["calledFromStack", "lineWords", "messageWords", "memberWritten", "signals"];

/** Returns the model's features for each file: those of the failure, and those that tie the file to it. */
export function featuresOf(view: FailureView): Map<FileView, Record<string, number>> {
  const files = fileFeatures(view);
  const failure = { ...failureFeatures(view), ...strongest(files, "on"), ...strongest(files, "off") };
  return new Map([...files].map(([file, features]) => [file, { ...failure, ...features }]));
}

function strongest(files: ReadonlyMap<FileView, Record<string, number>>, side: "on" | "off"): Record<string, number> {
  const there = [...files].flatMap(([{ frames }, features]) =>
    frames.length > 0 === (side === "on") ? [features] : [],
  );
  return Object.fromEntries(
    [...tiesCompared, ...comparedFeatures[side]].map((name) => [
      `failure-${side}-${name}`,
      Math.max(0, ...there.map((features) => features[name] ?? 0)),
    ]),
  );
}

/** Returns the probability of each file, the most likely first. */
export function rankFiles(view: FailureView, model: RankingModel): RankedFile[] {
  if (view.files.length === 0) return [];
  const files = [...featuresOf(view)];
  const shares = softmax(
    files.map(([, features]) => evaluate(model.file, features)),
    model.sharpness,
  );
  return files
    .map(([file], index) => ({ view: file, probability: shares[index] ?? 0 }))
    .toSorted((left, right) => right.probability - left.probability);
}
