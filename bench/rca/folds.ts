import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type RankingModel, rankingModelSchema } from "@whence/engine/ranking";

const foldsCount = 5;
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
  const path = join(import.meta.dirname, "models", `fold-${fold}.json`);
  const model = rankingModelSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  models.set(fold, model);
  return model;
}
