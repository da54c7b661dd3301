import type { JSX, ReactNode } from "react";
import styles from "./field-notes.module.css";

/** What is wrong with an input, and what it is for. */
export interface Notes {
  readonly hint?: ReactNode;
  /** Why the entered value was rejected. */
  readonly problem?: string | undefined;
}

/** Returns the ids of the notes that an input has, by which it names them; undefined without any. */
export function describedBy(id: string, { hint, problem }: Notes): string | undefined {
  return [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
}

/** The notes below an input with an id. */
export function FieldNotes({ id, hint, problem }: Notes & { readonly id: string }): JSX.Element {
  return (
    <>
      {problem ? (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      ) : null}
    </>
  );
}
