import { type JSX, type ReactNode, useId } from "react";
import styles from "./section.module.css";

export interface SectionProps {
  readonly title: string;
  /** Shown next to the title, such as a count. */
  readonly note?: string;
  readonly children: ReactNode;
}

/** A part of a report, with a heading. */
export function Section({ title, note, children }: SectionProps): JSX.Element {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h2 id={id}>
        {title}
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
      </h2>
      {children}
    </section>
  );
}
