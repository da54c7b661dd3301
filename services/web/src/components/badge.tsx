import type { JSX, ReactNode } from "react";
import styles from "./badge.module.css";

export type Tone = "critical" | "high" | "medium" | "low" | "good" | "busy";

/** A short, highlighted label. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): JSX.Element {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
