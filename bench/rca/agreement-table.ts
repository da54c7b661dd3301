import { type Agreement, agreementOf } from "@whence/engine";
import type { Report } from "@whence/protocol";
import { findingsIn } from "../../services/analyzer/src/model-run/said-before.ts";
import { table } from "../table.ts";
import type { Row } from "./score.ts";

/** How a model's runs related to the engine's first file, which may be right. */
export interface Agreed {
  readonly agreement: Agreement | null;
  readonly alone: Pick<Row, "file1" | "confidence">;
  readonly withModel: Pick<Row, "confidence">;
}

/** Returns how what a model says in a report relates to its first file. */
export function agreementIn(report: Report): Agreement | null {
  const file = report.candidates[0]?.location?.file;
  const said = findingsIn(report).map(({ finding }) => finding);
  return agreementOf(said, (subject) => subject.kind === "place" && subject.file === file);
}

const states: readonly Agreement[] = ["agrees", "differs", "contradicts"];

/**
 * One row a state: its share where the engine's file is right by its share where it is wrong, among the failures about
 * which the model's runs say anything; and the squared error of the confidence without and with the model.
 */
export function agreementTable(all: readonly Agreed[]): string {
  const heard = all.filter(({ agreement }) => agreement !== null);
  const rows: [string, readonly Agreed[]][] = states.map((state) => [
    state,
    heard.filter(({ agreement }) => agreement === state),
  ]);
  return table(
    ["agreement", "n", "file first, %", "likelihood ratio", "mean squared error", "with the model"],
    [...rows, ["all", all] as const].map(([name, own]) => [
      ...[name, String(own.length)],
      (100 * rightIn(own)).toFixed(0),
      (oddsOf(own) / oddsOf(heard)).toFixed(2),
      errorOf(own, ({ alone }) => alone.confidence).toFixed(4),
      errorOf(own, ({ withModel }) => withModel.confidence).toFixed(4),
    ]),
  );
}

function rightIn(all: readonly Agreed[]): number {
  return all.filter(({ alone }) => alone.file1).length / all.length;
}

function oddsOf(all: readonly Agreed[]): number {
  return rightIn(all) / (1 - rightIn(all));
}

function errorOf(all: readonly Agreed[], confidence: (one: Agreed) => number | null): number {
  return all.reduce((sum, one) => sum + ((confidence(one) ?? 0) - Number(one.alone.file1)) ** 2, 0) / all.length;
}
