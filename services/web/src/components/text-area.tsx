import type { JSX, TextareaHTMLAttributes } from "react";
import { Labelled, type Labels } from "./labelled.tsx";

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement>, Labels {}

/** A labeled multiline input. */
export function TextArea({ label, hint, problem, ...area }: TextAreaProps): JSX.Element {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(control) => <textarea {...area} {...control} />}
    </Labelled>
  );
}
