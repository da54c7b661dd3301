import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { RcaCase } from "./cases.ts";
import type { Row } from "./score.ts";

/**
 * For one case: the rank of the right file among those named, from 0, or null when it wasn't named; and the confidence.
 */
const answerSchema = z.tuple([z.string(), z.int().nullable(), z.number()]);

/**
 * Returns the previous engine's answers, recorded once in `old-engine.jsonl`, one line `[corpus/id, rank, confidence]`
 * each.
 */
export function readOldEngine(): (rca: RcaCase) => Row | null {
  const lines = readFileSync(join(import.meta.dirname, "old-engine.jsonl"), "utf8").split("\n");
  const answers = lines.filter((line) => line !== "").map((line) => answerSchema.parse(JSON.parse(line)));
  const byId = new Map(answers.map(([id, rank, confidence]) => [id, { rank, confidence }]));
  return ({ id, corpus, kind }) => {
    const known = byId.get(`${corpus}/${id}`);
    if (!known) return null;
    const { rank, confidence } = known;
    return {
      ...{ id, kind, depth: "", confidence },
      ...{ file1: rank === 0, file3: rank !== null && rank < 3 },
      ...{ function1: null, function3: null, category: null, keywords: null },
    };
  };
}
