import type { JSX, ReactNode } from "react";
import styles from "./data-table.module.css";

export interface DataColumn {
  readonly name: string;
  /** Aligned to the end, for comparing. */
  readonly isNumber?: boolean;
}

export interface DataTableProps {
  /** For screen readers: the table is focusable, because a wide one scrolls. */
  readonly label: string;
  readonly columns: readonly DataColumn[];
  /** A cell for each column; the first one names the row. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** A table of figures, which scrolls within the page where it is too wide. */
export function DataTable({ label, columns, rows }: DataTableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.frame} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" data-number={isNumber}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]?.name} data-number={columns[index + 1]?.isNumber}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
