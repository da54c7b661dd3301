import type { JSX, ReactNode } from "react";
import styles from "./rows.module.css";

/** A vertical list, or the given text when it is empty. */
export function Rows({
  none,
  children,
}: {
  readonly none: string;
  readonly children: readonly JSX.Element[];
}): JSX.Element {
  if (children.length === 0) return <p className={styles.none}>{none}</p>;
  return <ul className={styles.rows}>{children}</ul>;
}

export interface RowProps {
  readonly title: ReactNode;
  /** Short facts below the title. */
  readonly facts?: readonly ReactNode[];
  /** Its actions. */
  readonly actions?: ReactNode;
  /** Whether it is in the past, and shown for the record. */
  readonly isPast?: boolean;
  readonly children?: ReactNode;
}

/** One row of a list. */
export function Row({ title, facts = [], actions, isPast = false, children }: RowProps): JSX.Element {
  const shown = facts.filter((fact) => fact !== null && fact !== undefined && fact !== "");
  return (
    <li className={isPast ? styles.past : styles.row}>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {shown.length > 0 ? (
          <p className={styles.facts}>
            {shown.map((fact, index) => (
              <span key={index}>{fact}</span>
            ))}
          </p>
        ) : null}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
      {children ? <div className={styles.more}>{children}</div> : null}
    </li>
  );
}
