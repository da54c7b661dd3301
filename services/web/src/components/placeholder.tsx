import type { JSX } from "react";
import styles from "./placeholder.module.css";

/** Gray lines in place of text, so that the layout doesn't jump when the text loads. */
export function Placeholder({ lines }: { readonly lines: number }): JSX.Element {
  return (
    <div className={styles.placeholder} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
