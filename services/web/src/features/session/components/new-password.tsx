import type { JSX } from "react";
import { Field } from "../../../components/field.tsx";

const lengthMin = 8;
const lengthMax = 128;

/** The field for a new password, named `password`. */
export function NewPassword(): JSX.Element {
  return (
    <Field
      label="Password"
      name="password"
      type="password"
      autoComplete="new-password"
      minLength={lengthMin}
      maxLength={lengthMax}
      required
      hint={`At least ${lengthMin} characters. Longer passwords are stronger.`}
    />
  );
}
