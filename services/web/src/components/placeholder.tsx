import type { JSX } from "react";
import styles from "./placeholder.module.css";

/** Grey lines where text will be, so that nothing jumps when it comes. */
export function Placeholder({ lines }: { readonly lines: number }): JSX.Element {
  return (
    <div className={styles.placeholder} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
