import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type RankingModel, rankingModelSchema } from "@whence/engine/ranking";

/** How many folds the groups are split into. */
export const foldsCount = 5;
const models = new Map<number, RankingModel>();

/** Returns the fold of a group, as `train.py` splits the groups. */
export function foldOf(group: string): number {
  return crc32(group) % foldsCount;
}

/** Returns the model that was trained without a case's group. */
export function modelWithout(group: string): RankingModel {
  const fold = foldOf(group);
  const known = models.get(fold);
  if (known) return known;
  const model = readModel(foldPath(fold));
  models.set(fold, model);
  return model;
}

/** Returns where the model is that was trained without a fold. */
export function foldPath(fold: number): string {
  return join(import.meta.dirname, "models", `fold-${fold}.json`);
}

/** Reads a model from its file. */
export function readModel(path: string): RankingModel {
  return rankingModelSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}
