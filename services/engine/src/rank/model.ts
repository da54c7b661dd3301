import { z } from "zod";
import learned from "./model.json" with { type: "json" };

/** A regression tree, node by node: `feature` below `threshold` goes left. A leaf has feature -1 and its value. */
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

/** Where a model comes from, and how often it was right on failures of groups that it wasn't trained on. */
const trainingSchema = z.object({
  /** The day of the training. */
  on: z.iso.date(),
  /** Digest of the corpora that it was trained on, in hexadecimal digits. */
  corpora_sha256: z.string().length(64),
  /** By corpus: the number of failures, and the shares whose right file was ranked first and among three. */
  held_out: z.record(
    z.string(),
    z.object({ cases: z.int(), first: z.number().min(0).max(1), three: z.number().min(0).max(1) }),
  ),
});

/** What `pnpm bench rca --train` learned; the file is made by it alone. */
export const rankingModelSchema = z.object({
  trained: trainingSchema,
  /** Scores of the files of one failure. */
  file: ensembleSchema,
  /** Scores of the places of one file. */
  place: ensembleSchema,
  /** File scores are multiplied by this before they become shares. */
  sharpness: z.number(),
  /** Probability against how often it was right, on cases of groups that trained nothing; both ascending. */
  calibration: z.object({ probability: z.array(z.number()), share: z.array(z.number()) }),
});
export type RankingModel = z.infer<typeof rankingModelSchema>;
export type Ensemble = z.infer<typeof ensembleSchema>;
type Tree = z.infer<typeof treeSchema>;

/** The sum of what each tree says of some features; a feature that is missing counts as 0. */
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

/** Shares that add up to 1, from scores. */
export function softmax(scores: readonly number[], sharpness: number): number[] {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(sharpness * (score - highest)));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** The calibrated form of a probability: linear between the points that were measured. */
export function calibrate({ probability, share }: RankingModel["calibration"], value: number): number {
  const next = probability.findIndex((x) => x >= value);
  const [x0, y0] = [probability[next - 1], share[next - 1]];
  const [x1, y1] = [probability[next], share[next]];
  if (x1 === undefined || y1 === undefined) return share.at(-1) ?? value;
  if (x0 === undefined || y0 === undefined) return y1;
  return x1 === x0 ? y1 : y0 + ((y1 - y0) * (value - x0)) / (x1 - x0);
}

let parsed: RankingModel | undefined;

/** The model that is shipped; parsed once. */
export function learnedModel(): RankingModel {
  parsed ??= rankingModelSchema.parse(learned);
  return parsed;
}
