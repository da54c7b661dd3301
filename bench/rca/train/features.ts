import { writeFileSync } from "node:fs";
import { type FeatureRow, rankingFeatures } from "@whence/engine/ranking";
import { pathIn } from "../case-tree.ts";
import type { RcaCase } from "../cases.ts";
import { lastNameOf, placesOf } from "../score.ts";

/** A row of features and whether it stands for what is right. Features that are 0 are left out. */
interface LabelledRow {
  readonly right: boolean;
  readonly values: Readonly<Record<string, number>>;
  /** For a file: the weights of signals that aren't features of the model, by kind. */
  readonly decisive?: Readonly<Record<string, number>>;
}

/** The training data of a case in one form: a row for each of its files, and for each place in the file of the cause. */
interface CaseFeatures {
  readonly id: string;
  readonly corpus: string;
  readonly group: string;
  /** The language and what is seen of the code, as the engine sees them. */
  readonly sight: string;
  readonly rows: readonly LabelledRow[];
  readonly places: readonly LabelledRow[];
  /** Files that only signals name, which have no features. */
  readonly named: readonly Omit<LabelledRow, "values">[];
}

/** A line this close to the known one also counts, since a statement has several. */
const linesApart = 3;

/** Writes the features of each case, one per line; returns the names of a file's features. */
export async function writeFeatures(path: string, cases: readonly RcaCase[]): Promise<string[]> {
  const names = new Set<string>();
  writeFileSync(path, "");
  for (const rca of cases) {
    const features = await featuresOf(rca);
    for (const { values } of features.rows) for (const name of Object.keys(values)) names.add(name);
    writeFileSync(path, `${JSON.stringify(features)}\n`, { flag: "a" });
  }
  return [...names];
}

/** Traces the error of a case and labels what the model would rank. */
async function featuresOf(rca: RcaCase): Promise<CaseFeatures> {
  const right = new Set(placesOf(rca).map(({ file }) => file));
  const { sight, files, places, named } = await rankingFeatures(rca.errorLog, rca.files);
  return {
    ...{ id: rca.id, corpus: rca.corpus, group: rca.group, sight },
    rows: files.map(({ file, values, decisive }) => ({
      ...{ right: right.has(pathIn(rca.tree, file)), values: nonZero(values), decisive },
    })),
    places: places
      .filter(({ file }) => pathIn(rca.tree, file) === rca.truth.file)
      .map((place) => ({ right: isRightPlace(place, rca), values: nonZero(place.values) })),
    named: named.map(({ file, decisive }) => ({ right: right.has(pathIn(rca.tree, file)), decisive })),
  };
}

function nonZero(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== 0));
}

function isRightPlace({ line, function: name }: FeatureRow, { truth }: RcaCase): boolean {
  const isNamed = lastNameOf(truth.function) !== "" && lastNameOf(name ?? "") === lastNameOf(truth.function);
  return isNamed || (line !== null && line >= truth.line_start - linesApart && line <= truth.line_end + linesApart);
}
