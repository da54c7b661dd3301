import type { JSX, ReactNode } from "react";
import { Mark } from "../../../components/mark.tsx";
import { PageTitle } from "../../../components/page-title.tsx";
import styles from "./entrance.module.css";

/** The frame of a page for people who aren't signed in. */
export function Entrance({ title, children }: { readonly title: string; readonly children: ReactNode }): JSX.Element {
  return (
    <main className={styles.entrance}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <Mark />
          Whence
        </p>
        <PageTitle title={title} />
        {children}
      </div>
    </main>
  );
}
