import { type JSX, type ReactNode, useId } from "react";
import styles from "./field.module.css";

export interface Labels {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Why what was entered is not taken. */
  readonly problem?: string | undefined;
}

/** What ties a control to its label, its hint and its problem. */
export interface LabelledControl {
  readonly id: string;
  readonly className: string | undefined;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** A control with its label above and what there is to say of it below. */
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
