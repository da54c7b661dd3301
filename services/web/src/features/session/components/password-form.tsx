import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";

/** Asks for the current password before a change. */
export function PasswordForm({
  action,
  change,
  onCancel,
}: {
  readonly action: string;
  readonly change: (password: string) => Promise<void>;
  readonly onCancel: () => void;
}): JSX.Element {
  return (
    <>
      <Form action={action} submit={({ password = "" }) => change(password)}>
        <Field
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
        />
      </Form>
      <div>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  );
}
