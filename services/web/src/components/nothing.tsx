import type { JSX, ReactNode } from "react";
import styles from "./nothing.module.css";

/** What a list without entries shows: what would be here, and how to get it. */
export function Nothing({ title, children }: { readonly title: string; readonly children: ReactNode }): JSX.Element {
  return (
    <div className={styles.nothing}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
