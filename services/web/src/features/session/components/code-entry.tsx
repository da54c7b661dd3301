import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { enterBackupCode, enterCode } from "../api/two-factor.ts";
import { CodeField } from "./code-field.tsx";

/** The second step of a sign-in: a code of the authenticator app, or a backup code. */
export function CodeEntry({ onEntered }: { readonly onEntered: () => Promise<void> }): JSX.Element {
  const [isBackup, setIsBackup] = useState(false);
  return (
    <>
      {isBackup ? (
        <Form
          key="backup"
          action="Sign in"
          submit={async ({ code = "" }) => {
            await enterBackupCode(code);
            await onEntered();
          }}
        >
          <Field label="Backup code" name="code" autoComplete="off" spellCheck={false} required autoFocus />
        </Form>
      ) : (
        <Form
          key="app"
          action="Sign in"
          submit={async ({ code = "" }) => {
            await enterCode(code);
            await onEntered();
          }}
        >
          <CodeField />
        </Form>
      )}
      <Button onClick={() => setIsBackup(!isBackup)}>
        {isBackup ? "Use the authenticator app" : "Use a backup code"}
      </Button>
    </>
  );
}
