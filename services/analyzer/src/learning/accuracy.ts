import { bandIndexOf, confidenceBands } from "@whence/engine";
import type { Accuracy, AccuracyFigures } from "@whence/protocol";
import type { ReportRecord } from "@whence/storage";
import { type Judge, type Judgement, judgeAll } from "./judgement.ts";

interface Judged {
  readonly record: ReportRecord;
  readonly judgement: Judgement | null;
}

/** Returns the accuracy of reports, which are given newest first. */
export function accuracyOf(records: readonly ReportRecord[]): Accuracy {
  const judgements = judgeAll(records);
  const all = records.map((record, index): Judged => ({ record, judgement: judgements[index] ?? null }));
  const inBands = Map.groupBy(all, ({ record }) => bandIndexOf(record.score));
  const inCategories = [...Map.groupBy(all, ({ record }) => record.category)];
  return {
    since: records.at(-1)?.completedAt ?? null,
    all: figuresOf(all),
    bands: confidenceBands.map((band, index) => ({ ...band, ...figuresOf(inBands.get(index) ?? []) })),
    categories: inCategories
      .toSorted(([, left], [, right]) => right.length - left.length)
      .map(([category, of]) => ({ category, ...figuresOf(of) })),
  };
}

function figuresOf(all: readonly Judged[]): AccuracyFigures {
  const judged = all.flatMap(({ record, judgement }) => (judgement ? [{ score: record.score, ...judgement }] : []));
  const by = (kind: Judge): AccuracyFigures["people"] => {
    const given = judged.filter((one) => one.by === kind).map(({ says }) => says);
    const count = (says: Judgement["says"]): number => given.filter((one) => one === says).length;
    return { confirmed: count("confirmed"), partly: count("partly"), refuted: count("refuted") };
  };
  return {
    reports: all.length,
    people: by("people"),
    agents: by("agents"),
    predictions: by("predictions"),
    confidence: mean(judged, ({ score }) => score),
    right: mean(judged, ({ right }) => right),
    brier: mean(judged, ({ score, right }) => (score - right) ** 2),
  };
}

/** Returns the mean, weighted by the weight of each judgment; null for none. */
function mean<Of extends { readonly weight: number }>(all: readonly Of[], value: (of: Of) => number): number | null {
  const weight = all.reduce((sum, one) => sum + one.weight, 0);
  if (weight === 0) return null;
  const sum = all.reduce((total, one) => total + one.weight * value(one), 0);
  return Math.round((sum / weight) * 1_000) / 1_000;
}
