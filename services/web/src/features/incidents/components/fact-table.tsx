import type { JSX, ReactNode } from "react";
import styles from "./fact-table.module.css";

interface FactTableProps {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly heads: readonly string[];
  /** Cells by row, in the order of the heads. */
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A small table that scrolls sideways where it doesn't fit. */
export function FactTable({ label, heads, rows }: FactTableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={heads[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
