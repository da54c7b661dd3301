import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type JSX, useState } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { paths } from "../../../config/paths.ts";
import { stringifySearch } from "../../../lib/search-text.ts";
import { signIn } from "../api/account.ts";
import { signInOptionsQuery } from "../api/get-sign-in-options.ts";
import { signInFailure } from "../sign-in-failure.ts";
import { CodeEntry } from "./code-entry.tsx";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";
import { Providers } from "./providers.tsx";
import { type Intent, useEntering } from "./use-entering.ts";

/** Sign-in with email and password, or with another provider. */
export function SignIn({
  intent,
  error,
}: {
  readonly intent: Intent;
  readonly error?: string | undefined;
}): JSX.Element {
  const enter = useEntering(intent);
  const { data: options } = useQuery(signInOptionsQuery);
  const [isCodeNeeded, setIsCodeNeeded] = useState(false);
  if (isCodeNeeded) {
    return (
      <Entrance title="Enter your code">
        <CodeEntry onEntered={enter} />
      </Entrance>
    );
  }
  const canSignUp = options?.sign_up === "open" || intent.invitation !== undefined;
  return (
    <Entrance title="Sign in">
      {intent.claim === undefined ? null : (
        <p className={styles.notice}>
          An agent wants to join your organization. Sign in to see which one and claim it.
        </p>
      )}
      {error === undefined ? null : <p className={styles.notice}>{signInFailure(error)}</p>}
      <Providers path={`${paths.login}${stringifySearch({ ...intent })}`} />
      <Form
        action="Sign in"
        submit={async ({ email = "", password = "" }) => {
          if ((await signIn({ email, password })) === "code-needed") setIsCodeNeeded(true);
          else await enter();
        }}
      >
        <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      </Form>
      <p className={styles.soft}>
        <Link to={paths.resetPassword} search={{}}>
          Forgot password?
        </Link>
        {canSignUp ? (
          <>
            {" · "}
            <Link to={paths.signUp} search={intent}>
              Create account
            </Link>
          </>
        ) : null}
      </p>
    </Entrance>
  );
}
