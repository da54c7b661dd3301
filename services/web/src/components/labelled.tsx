import { type JSX, type ReactNode, useId } from "react";
import styles from "./field.module.css";

export interface Labels {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Why the entered value was rejected. */
  readonly problem?: string | undefined;
}

/** The attributes that connect a control with its label, hint, and problem. */
export interface LabelledControl {
  readonly id: string;
  readonly className: string | undefined;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** A control with its label above, and its hint or problem below. */
export function Labelled({
  label,
  hint,
  problem,
  children,
}: Labels & { readonly children: (control: LabelledControl) => JSX.Element }): JSX.Element {
  const id = useId();
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  const described = [problem ? problemId : null, hint ? hintId : null].filter((name) => name !== null).join(" ");
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: styles.input,
        "aria-describedby": described || undefined,
        "aria-invalid": problem ? true : undefined,
      })}
      {problem ? (
        <p id={problemId} className={styles.problem}>
          {problem}
        </p>
      ) : null}
      {hint ? (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
