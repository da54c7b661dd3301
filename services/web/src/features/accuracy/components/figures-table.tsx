import type { AccuracyFigures } from "@whence/protocol";
import type { JSX } from "react";
import { DataTable } from "../../../components/data-table.tsx";
import { judgedCount, percent, sayJudged } from "../judged.ts";

export interface FiguresRow {
  readonly name: string;
  readonly figures: AccuracyFigures;
}

export interface FiguresTableProps {
  readonly label: string;
  /** What the rows represent. */
  readonly of: string;
  readonly rows: readonly FiguresRow[];
}

const counted = ["Reports", "Judged", "Confidence", "Right"].map((name) => ({ name, isNumber: true }));
const judges = ["By people", "By agents", "By predictions"].map((name) => ({ name }));

/** How often reports were right, row by row. */
export function FiguresTable({ label, of, rows }: FiguresTableProps): JSX.Element {
  return (
    <DataTable
      label={label}
      columns={[{ name: of }, ...counted, ...judges]}
      rows={rows.map(({ name, figures }) => ({ key: name, cells: [name, ...cellsOf(figures)] }))}
    />
  );
}

function cellsOf(figures: AccuracyFigures): readonly string[] {
  return [
    ...[figures.reports, judgedCount(figures)].map((count) => count.toLocaleString()),
    ...[figures.confidence, figures.right].map(percent),
    ...[figures.people, figures.agents, figures.predictions].map(sayJudged),
  ];
}
