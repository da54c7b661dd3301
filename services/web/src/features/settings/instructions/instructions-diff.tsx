import type { JSX } from "react";
import hidden from "../../../components/visually-hidden.module.css";
import styles from "./instructions-diff.module.css";
import { type DiffLine, lineDiff } from "./line-diff.ts";

export interface InstructionsDiffProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

const marks: Readonly<Record<DiffLine["change"], readonly [mark: string, said: string]>> = {
  same: [" ", ""],
  added: ["+", "added: "],
  removed: ["−", "removed: "],
};

/** The difference between two versions, line by line. */
export function InstructionsDiff({ before, after, label }: InstructionsDiffProps): JSX.Element {
  return (
    <ol className={styles.diff} aria-label={label}>
      {lineDiff(before, after).map(({ change, text }, index) => (
        <li key={index} className={styles[change]}>
          <span aria-hidden="true" className={styles.mark}>
            {marks[change][0]}
          </span>
          <span className={hidden.hidden}>{marks[change][1]}</span>
          {text}
        </li>
      ))}
    </ol>
  );
}
