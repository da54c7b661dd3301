import { writeFileSync } from "node:fs";
import { type FeatureRow, rankingFeatures } from "@whence/engine/ranking";
import { pathIn } from "../case-tree.ts";
import type { RcaCase } from "../cases.ts";
import { lastNameOf, placesOf } from "../score.ts";

/** A row of features, and whether it is the right answer. */
interface LabelledRow {
  readonly right: boolean;
  readonly values: Readonly<Record<string, number>>;
  /** For a file: the weights of signals that aren't features of the model, by kind. */
  readonly decisive?: Readonly<Record<string, number>>;
}

/** The training data of a case: a row for each of its files, and for each place in the file of the cause. */
interface CaseFeatures {
  readonly id: string;
  readonly corpus: string;
  readonly group: string;
  readonly rows: readonly LabelledRow[];
  readonly places: readonly LabelledRow[];
  /** Files that only signals name, which have no features. */
  readonly named: readonly Omit<LabelledRow, "values">[];
}

/** A line this close to the known one also counts, since a statement has several. */
const linesApart = 3;

/** Writes the features of each case, one per line; returns the names of a file's features. */
export async function writeFeatures(path: string, cases: readonly RcaCase[]): Promise<string[]> {
  const features: CaseFeatures[] = [];
  for (const rca of cases) features.push(await featuresOf(rca));
  writeFileSync(path, features.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return Object.keys(features.find(({ rows }) => rows.length > 0)?.rows[0]?.values ?? {});
}

/** Traces the error of a case and labels what the model would rank. */
async function featuresOf(rca: RcaCase): Promise<CaseFeatures> {
  const right = new Set(placesOf(rca).map(({ file }) => file));
  const { files, places, named } = await rankingFeatures(rca.errorLog, rca.files);
  return {
    ...{ id: rca.id, corpus: rca.corpus, group: rca.group },
    rows: files.map(({ file, values, decisive }) => ({ right: right.has(pathIn(rca.tree, file)), values, decisive })),
    places: places
      .filter(({ file }) => pathIn(rca.tree, file) === rca.truth.file)
      .map((place) => ({ right: isRightPlace(place, rca), values: place.values })),
    named: named.map(({ file, decisive }) => ({ right: right.has(pathIn(rca.tree, file)), decisive })),
  };
}

function isRightPlace({ line, function: name }: FeatureRow, { truth }: RcaCase): boolean {
  const isNamed = lastNameOf(truth.function) !== "" && lastNameOf(name ?? "") === lastNameOf(truth.function);
  return isNamed || (line !== null && line >= truth.line_start - linesApart && line <= truth.line_end + linesApart);
}
