import { getRouteApi, Link } from "@tanstack/react-router";
import { type JSX, useState } from "react";
import { Field } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { paths } from "../../config/paths.ts";
import { requestPasswordReset, resetPassword } from "../../features/session/api/account.ts";
import styles from "../../features/session/components/entrance.module.css";
import { Entrance } from "../../features/session/components/entrance.tsx";
import { NewPassword } from "../../features/session/components/new-password.tsx";

const route = getRouteApi(paths.resetPassword);

/** Requests the mail or, opened from its link, sets a new password. */
export function ResetPasswordRoute(): JSX.Element {
  const { token } = route.useSearch();
  const [done, setDone] = useState<string | null>(null);
  return (
    <Entrance title={token === undefined ? "Reset your password" : "Choose a new password"}>
      {done === null ? <ResetForm token={token} onDone={setDone} /> : <p className={styles.notice}>{done}</p>}
      <p className={styles.soft}>
        <Link to={paths.login} search={{}}>
          Sign in
        </Link>
      </p>
    </Entrance>
  );
}

interface ResetFormProps {
  readonly token: string | undefined;
  readonly onDone: (said: string) => void;
}

function ResetForm({ token, onDone }: ResetFormProps): JSX.Element {
  if (token === undefined) {
    return (
      <Form
        action="Send reset link"
        submit={async ({ email = "" }) => {
          await requestPasswordReset(email);
          onDone(
            "If an account has this address, we sent it a link. Without a mail server, the link is in the service's log.",
          );
        }}
      >
        <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus />
      </Form>
    );
  }
  return (
    <Form
      action="Set password"
      submit={async ({ password = "" }) => {
        await resetPassword(token, password);
        onDone("Password changed. You were signed out everywhere.");
      }}
    >
      <NewPassword />
    </Form>
  );
}
