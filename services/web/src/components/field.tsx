import { type InputHTMLAttributes, type JSX, useId } from "react";
import styles from "./field.module.css";

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: string;
}

/** A labelled input. */
export function Field({ label, hint, ...input }: FieldProps): JSX.Element {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} className={styles.input} aria-describedby={hint ? hintId : undefined} />
      {hint ? (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
