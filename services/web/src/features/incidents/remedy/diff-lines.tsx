import type { JSX } from "react";
import styles from "./diff-lines.module.css";

const kinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

/** Changed lines of a file, each with its sign. */
export function DiffLines({
  lines,
  label,
}: {
  readonly lines: readonly string[];
  readonly label: string;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      <pre>
        {lines.map((line, index) => (
          <span key={index} data-kind={kinds[line.slice(0, 1)]}>
            {line}
            {"\n"}
          </span>
        ))}
      </pre>
    </section>
  );
}
