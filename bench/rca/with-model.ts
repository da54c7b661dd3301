import { type Agreement, nothingCollected } from "@whence/engine";
import type { BenchModel } from "../model/bench-model.ts";
import type { ModelSetup } from "../model/model-setup.ts";
import { table } from "../table.ts";
import { agreementIn } from "./agreement-table.ts";
import { predictionOf, reportOnSubject, subjectOf } from "./answer.ts";
import type { RcaCase } from "./cases.ts";
import { modelWithout } from "./folds.ts";
import { sourcesOf } from "./forms.ts";
import { isRightFile, type Row, scoreCase } from "./score.ts";
import { casesMin, strataOf } from "./strata.ts";

/** A case, and its scores by the engine alone and with a model. */
export interface Compared {
  readonly rca: RcaCase;
  readonly alone: Row;
  readonly withModel: Row;
  /** Whether anything that the model said passed the checks. */
  readonly isHeard: boolean;
  /** How the model's runs relate to the engine's first file. */
  readonly agreement: Agreement | null;
}

/** Answers each case with the engine alone, and again with what a model says. */
export async function compareCases(
  cases: readonly RcaCase[],
  model: BenchModel,
  { avoid }: Pick<ModelSetup, "avoid">,
): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const rca of cases) {
    avoid((file) => isRightFile(rca, file));
    const { alone, withModel } = await model.reportsOn({
      ...{ route: "developer", subject: subjectOf(rca), collected: nothingCollected },
      tree: rca.form === "tree" ? sourcesOf(rca) : null,
      investigate: (subject, collected) => reportOnSubject(subject, { model: modelWithout(rca.group), collected }),
    });
    compared.push({
      rca,
      alone: scoreCase(rca, predictionOf(alone)),
      withModel: scoreCase(rca, predictionOf(withModel)),
      isHeard: withModel.engine.model !== undefined,
      agreement: agreementIn(withModel),
    });
  }
  return compared;
}

/** What is scored of an answer. */
const figures = {
  "file first": ({ file1 }) => file1,
  "file among three": ({ file3 }) => file3,
  function: ({ function1 }) => function1,
  category: ({ category }) => category,
} as const satisfies Record<string, (row: Row) => boolean | null>;

/** A figure of a stratum: of how many cases, and the share that is right without and with a model. */
interface Figure {
  readonly of: number;
  readonly alone: number;
  readonly withModel: number;
}

function figureOf(members: readonly Compared[], measure: (row: Row) => boolean | null): Figure {
  const known = members.filter(({ alone }) => measure(alone) !== null);
  const share = (rows: readonly Row[]): number => rows.filter((row) => measure(row) === true).length / known.length;
  return {
    of: known.length,
    alone: share(known.map(({ alone }) => alone)),
    withModel: share(known.map(({ withModel }) => withModel)),
  };
}

/** One row a stratum: each figure of the engine alone, in percent, and by how many points a model changes it. */
export function comparisonTable(compared: readonly Compared[]): string {
  const lines = strataShown(compared).map(({ name, members }) => [
    name,
    String(members.length),
    ...Object.values(figures).map((measure) => figureText(figureOf(members, measure))),
    String(members.filter(({ isHeard }) => isHeard).length),
  ]);
  return table(["engine alone, %, and with the model", "n", ...Object.keys(figures), "model heard"], lines);
}

/**
 * Returns by how many points a model lowers the figure that it lowers most, of all that are printed, and the truth of
 * the confidence: 100 minus the distance in points of its mean from the share that is right.
 */
export function greatestLoss(compared: readonly Compared[]): number {
  const lost = strataShown(compared).map(
    ({ members }) => distanceOf(members, ({ withModel }) => withModel) - distanceOf(members, ({ alone }) => alone),
  );
  const all = strataShown(compared).flatMap(({ members }) =>
    Object.values(figures).map((measure) => figureOf(members, measure)),
  );
  return Math.max(
    0,
    ...lost,
    ...all.filter(({ of }) => of > 0).map(({ alone, withModel }) => 100 * (alone - withModel)),
  );
}

/** The distance in points of the mean confidence from the share of first files that are right. */
function distanceOf(members: readonly Compared[], rowOf: (one: Compared) => Row): number {
  const sum = members.map(rowOf).reduce((total, { confidence, file1 }) => total + (confidence ?? 0) - Number(file1), 0);
  return (100 * Math.abs(sum)) / members.length;
}

function strataShown(compared: readonly Compared[]) {
  const strata = strataOf(compared).map(({ language, form, name, members }) => ({
    name: `${language}, ${form}: ${name}`,
    members,
  }));
  return [{ name: "all", members: compared }, ...strata].filter(({ members }) => members.length >= casesMin);
}

function figureText({ of, alone, withModel }: Figure): string {
  if (of === 0) return "-";
  const points = 100 * (withModel - alone);
  return `${(100 * alone).toFixed(0)} ${points < 0 ? "" : "+"}${points.toFixed(1)}`;
}
