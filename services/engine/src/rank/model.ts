import { z } from "zod";
import learned from "./model.json" with { type: "json" };

/** A regression tree, node by node: a `feature` below `threshold` goes left. A leaf has feature -1 and its value. */
const treeSchema = z.object({
  feature: z.array(z.int()),
  threshold: z.array(z.number()),
  left: z.array(z.int()),
  right: z.array(z.int()),
  value: z.array(z.number()),
});

const ensembleSchema = z.object({
  /** Names of the features, in the order of the trees' indexes. */
  features: z.array(z.string()),
  trees: z.array(treeSchema),
});

/** The origin of a model, and how often it was right on failures of groups that it wasn't trained on. */
const trainingSchema = z.object({
  /** The date of the training. */
  on: z.iso.date(),
  /** Digest of the training corpora, in hexadecimal. */
  corpora_sha256: z.string().length(64),
  /** By corpus: the number of failures, and the shares whose right file was ranked first, and among the first three. */
  held_out: z.record(
    z.string(),
    z.object({ cases: z.int(), first: z.number().min(0).max(1), three: z.number().min(0).max(1) }),
  ),
});

/** Stated probability and measured share of right answers, on cases of held-out groups; both ascending. */
const calibrationSchema = z.object({ probability: z.array(z.number()), share: z.array(z.number()) });
export type Calibration = z.infer<typeof calibrationSchema>;

/**
 * How far something must be ahead of the innermost call to be named instead of it: how much likelier a file, by where it
 * is, or how much higher a `place` must score.
 */
const departuresSchema = z.record(z.string(), z.number());
export type Departures = z.infer<typeof departuresSchema>;

/** The model that `pnpm bench rca --train` learned; only that command writes the file. */
export const rankingModelSchema = z.object({
  trained: trainingSchema,
  /** Scores the files of one failure. */
  file: ensembleSchema,
  /** Scores the places in one file. */
  place: ensembleSchema,
  departures: departuresSchema,
  /** File scores are multiplied by this before they become shares. */
  sharpness: z.number(),
  /** For languages, and views of the code, with too few recorded failures to be calibrated alone. */
  calibration: calibrationSchema,
  /** By language and by what is seen of the code, as `sight.ts` names them. */
  calibrations: z.record(z.string(), calibrationSchema),
  /** The same for texts, which are of any project: an event is of a service. */
  texts: z.object({
    calibration: calibrationSchema,
    calibrations: z.record(z.string(), calibrationSchema),
    /** What is added to the logarithm of the odds where the error is thrown in the file, as `isThrownIn` says. */
    thrown: z.number(),
    /** The same for the share of the stack's calls that are the project's, by language and by what is seen of the code. */
    ownShare: z.record(z.string(), z.number()),
    /** The same for the length of its file, as `knownLengthOf` counts it, by what is seen of the code. */
    knownLength: z.record(z.string(), z.number()),
  }),
});
export type RankingModel = z.infer<typeof rankingModelSchema>;
export type Ensemble = z.infer<typeof ensembleSchema>;
type Tree = z.infer<typeof treeSchema>;

/** Returns the sum of all trees' values for some features; a missing feature counts as 0. */
export function evaluate({ features, trees }: Ensemble, values: Readonly<Record<string, number>>): number {
  const row = features.map((name) => values[name] ?? 0);
  return trees.reduce((sum, tree) => sum + leafOf(tree, row), 0);
}

function leafOf({ feature, threshold, left, right, value }: Tree, row: readonly number[]): number {
  let node = 0;
  for (let at = feature[node] ?? -1; at >= 0; at = feature[node] ?? -1)
    node = ((row[at] ?? 0) <= (threshold[node] ?? 0) ? left[node] : right[node]) ?? 0;
  return value[node] ?? 0;
}

/** How far ahead a file or a place must be where the model has nothing to say on it. */
const leastAheadUnknown = 2;

/** Returns how far something must be ahead of the innermost call. */
export function leastAhead(departures: Departures, where: string): number {
  return departures[where] ?? leastAheadUnknown;
}

/** Turns scores into shares that add up to 1. */
export function softmax(scores: readonly number[], sharpness: number): number[] {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(sharpness * (score - highest)));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Returns the calibrated form of a probability, interpolated linearly between the measured points. */
export function calibrate({ probability, share }: Calibration, value: number): number {
  const next = probability.findIndex((x) => x >= value);
  const [x0, y0] = [probability[next - 1], share[next - 1]];
  const [x1, y1] = [probability[next], share[next]];
  if (x1 === undefined || y1 === undefined) return share.at(-1) ?? value;
  if (x0 === undefined || y0 === undefined) return y1;
  return x1 === x0 ? y1 : y0 + ((y1 - y0) * (value - x0)) / (x1 - x0);
}

/** Returns a probability with something added to the logarithm of its odds. */
export function withOdds(probability: number, added: number): number {
  const factor = Math.exp(added);
  return (probability * factor) / (1 - probability + probability * factor);
}

let parsed: RankingModel | undefined;

/** Returns the shipped model, parsed once. */
export function learnedModel(): RankingModel {
  parsed ??= rankingModelSchema.parse(learned);
  return parsed;
}
