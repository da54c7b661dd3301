import type { JSX } from "react";
import { Field } from "../../../components/field.tsx";

/** The field for a code of an authenticator app, named `code`. */
export function CodeField(): JSX.Element {
  return (
    <Field
      label="Code from your authenticator app"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="\s*[0-9]{3}\s*[0-9]{3}\s*"
      title="6 digits"
      required
      autoFocus
    />
  );
}
