import { comparedFeatures } from "../signals/code/ranking-features.ts";
import { failureFeatures } from "./failure-features.ts";
import { evidenceIn, fileFeatures } from "./file-features.ts";
import type { FailureView, FileView } from "./file-view.ts";
import { evaluate, type RankingModel, softmax } from "./model.ts";
import type { RankedFile } from "./ranked-file.ts";
import { departureIn, hasManyFiles, inStackOrder } from "./stack-order.ts";

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
  const ranked = inStackOrder(likelyFiles(view, model), view, model.departures);
  return ranked.toSorted((left, right) => right.probability - left.probability);
}

/** Returns the probability of each file as the features tell it, wherever it is on the stack. */
export function likelyFiles(view: FailureView, model: RankingModel): readonly RankedFile[] {
  if (view.files.length === 0) return [];
  const files = [...featuresOf(view)];
  const shares = softmax(
    files.map(([, features]) => evaluate(model.file, features)),
    model.sharpness,
  );
  const ranked = files.map(([file], index) => ({ view: file, probability: shares[index] ?? 0 }));
  return limitUnled(ranked, unledShareMaxIn(ranked, view));
}

/**
 * The share of all files together that nothing leads to, in a trace that the user of a package reports: who rarely has
 * its version, so similar words in its current files say little.
 */
const unledOfReportedMax = 0.03;
/** The same among many given files, where none off the stack comes first. */
const unledAmongManyMax = 0.1;

function unledShareMaxIn(ranked: readonly RankedFile[], view: FailureView): number {
  if (view.project.isReported) return unledOfReportedMax;
  if (!hasManyFiles(view)) return 1;
  const first = departureIn(ranked, view)?.first;
  return first && first.frames.length === 0 ? 1 : unledAmongManyMax;
}

/** Limits the combined share of the files that nothing leads to. */
function limitUnled(ranked: readonly RankedFile[], shareMax: number): readonly RankedFile[] {
  const share = ranked.reduce((sum, { view, probability }) => sum + (isUnled(view) ? probability : 0), 0);
  if (share <= shareMax || share === 1 || ranked.every(({ view }) => isUnled(view))) return ranked;
  return ranked.map(({ view, probability }) => ({
    view,
    probability: probability * (isUnled(view) ? shareMax / share : (1 - shareMax) / (1 - share)),
  }));
}

/** Returns whether a file is off the stack, and no signal leads to it. */
export function isUnled(view: FileView): boolean {
  return view.frames.length === 0 && evidenceIn(view) === 0;
}
