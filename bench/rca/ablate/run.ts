import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { table } from "../../table.ts";
import type { RcaCase } from "../cases.ts";
import { changeText } from "../intervals.ts";
import { writeFeatures } from "../train/features.ts";
import { runPython } from "../train/python.ts";
import { nothing, variantsOf } from "./variants.ts";

const program = join(import.meta.dirname, "ablate.py");
const answersSchema = z.object({
  name: z.string(),
  /** For each case, `corpus/id`: how often its file was first, and among the first three, 0 to 1. */
  cases: z.record(z.string(), z.tuple([z.number(), z.number()])),
});
type Answers = z.infer<typeof answersSchema>;

/**
 * Returns a table of each feature group's contribution: the percentage points lost when the models are trained without
 * it. Every case is ranked by a model trained without the case's group. Takes about 20 minutes.
 */
export async function ablationTable(cases: readonly RcaCase[]): Promise<string> {
  const [all, ...others] = await answersWithout(cases);
  if (all?.name !== nothing) throw new Error("The answers with all features are missing.");
  const corpora = [...Map.groupBy(cases, ({ corpus }) => corpus)];
  const headings = [
    "change without",
    ...corpora.flatMap(([corpus, { length }]) => [`${corpus} (${length}), top 1`, "top 3"]),
  ];
  const lines = others.map(({ name, cases: changed }) => [
    name,
    ...corpora.flatMap(([, members]) =>
      ([0, 1] as const).map((measure) =>
        changeText(
          members.map(({ corpus, id, group }) => {
            const key = `${corpus}/${id}`;
            return { group, change: (changed[key]?.[measure] ?? 0) - (all.cases[key]?.[measure] ?? 0) };
          }),
        ),
      ),
    ),
  ]);
  return table(headings, lines);
}

async function answersWithout(cases: readonly RcaCase[]): Promise<Answers[]> {
  const folder = mkdtempSync(join(tmpdir(), "whence-ablate-"));
  try {
    const [features, variants, out] = ["features.jsonl", "variants.json", "answers.jsonl"].map((name) =>
      join(folder, name),
    );
    if (features === undefined || variants === undefined || out === undefined) return [];
    writeFileSync(variants, JSON.stringify(variantsOf(await writeFeatures(features, cases))));
    runPython(program, [variants, features, out]);
    const lines = readFileSync(out, "utf8").trimEnd().split("\n");
    return lines.map((line) => answersSchema.parse(JSON.parse(line)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
