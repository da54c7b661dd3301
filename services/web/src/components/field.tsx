import type { InputHTMLAttributes, JSX } from "react";
import { Labelled, type Labels } from "./labelled.tsx";

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement>, Labels {}

/** A labeled input. */
export function Field({ label, hint, problem, ...input }: FieldProps): JSX.Element {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(control) => <input {...input} {...control} />}
    </Labelled>
  );
}
