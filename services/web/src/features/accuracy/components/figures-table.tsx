import type { AccuracyFigures } from "@whence/protocol";
import type { JSX } from "react";
import { judgedCount, percent, sayJudged } from "../judged.ts";
import styles from "./figures-table.module.css";

export interface FiguresRow {
  readonly name: string;
  readonly figures: AccuracyFigures;
}

export interface FiguresTableProps {
  /** For screen readers: the table is focusable, because a wide one scrolls. */
  readonly label: string;
  /** What the rows represent. */
  readonly of: string;
  readonly rows: readonly FiguresRow[];
}

/** How often reports were right, row by row. */
export function FiguresTable({ label, of, rows }: FiguresTableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.frame} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col" data-number>
              Reports
            </th>
            <th scope="col" data-number>
              Judged
            </th>
            <th scope="col" data-number>
              Confidence
            </th>
            <th scope="col" data-number>
              Right
            </th>
            <th scope="col">By people</th>
            <th scope="col">By agents</th>
            <th scope="col">By predictions</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, figures }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-number>{figures.reports.toLocaleString()}</td>
              <td data-number>{judgedCount(figures).toLocaleString()}</td>
              <td data-number>{percent(figures.confidence)}</td>
              <td data-number>{percent(figures.right)}</td>
              <td>{sayJudged(figures.people)}</td>
              <td>{sayJudged(figures.agents)}</td>
              <td>{sayJudged(figures.predictions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
