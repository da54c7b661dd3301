import { type JSX, type ReactNode, useId } from "react";
import styles from "./panel.module.css";

export interface PanelProps {
  readonly title: string;
  /** Shown below the title. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page about one subject, with a heading. */
export function Panel({ title, note, children }: PanelProps): JSX.Element {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.panel}>
      <div>
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <p className={styles.note}>{note}</p>}
      </div>
      {children}
    </section>
  );
}
