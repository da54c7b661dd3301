import type { JSX } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { authorize } from "../api/integrations.ts";

/** Redirects to GitHub, for the named account. */
export function AccountForm(): JSX.Element {
  return (
    <Form
      action="Continue to GitHub"
      submit={({ account = "" }) => authorize("github", account.trim() === "" ? null : account.trim())}
    >
      {(problems) => (
        <Field
          label="Account"
          name="account"
          autoComplete="off"
          spellCheck={false}
          placeholder="acme"
          hint="The user or organization whose repositories to read. Leave it empty if the app is installed for only one that you can use."
          problem={problems.account}
        />
      )}
    </Form>
  );
}
