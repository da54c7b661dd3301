import { type JSX, useId } from "react";
import styles from "./field.module.css";
import { describedBy, FieldNotes, type Notes } from "./field-notes.tsx";

export interface Labels extends Notes {
  readonly label: string;
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
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: styles.input,
        "aria-describedby": describedBy(id, { hint, problem }),
        "aria-invalid": problem ? true : undefined,
      })}
      <FieldNotes id={id} hint={hint} problem={problem} />
    </div>
  );
}
