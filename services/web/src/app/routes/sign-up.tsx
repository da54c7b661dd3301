import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Field } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { paths } from "../../config/paths.ts";
import { signUp } from "../../features/session/api/account.ts";
import { signInOptionsQuery } from "../../features/session/api/get-sign-in-options.ts";
import styles from "../../features/session/components/entrance.module.css";
import { Entrance } from "../../features/session/components/entrance.tsx";
import { NewPassword } from "../../features/session/components/new-password.tsx";
import { Providers } from "../../features/session/components/providers.tsx";
import { useEntering } from "../../features/session/components/use-entering.ts";
import { stringifySearch } from "../../lib/search-text.ts";

const route = getRouteApi(paths.signUp);

/** Creates an account, where sign-up is open or by invitation. */
export function SignUpRoute(): JSX.Element {
  const intent = route.useSearch();
  const enter = useEntering(intent);
  const { data: options } = useQuery(signInOptionsQuery);
  const isClosed = options?.sign_up === "invited" && intent.invitation === undefined;
  return (
    <Entrance title="Create an account">
      {isClosed ? (
        <p className={styles.notice}>You need an invitation to sign up. Ask an owner of your organization for one.</p>
      ) : (
        <>
          <Providers path={`${paths.login}${stringifySearch({ ...intent })}`} />
          <Form
            action="Create account"
            submit={async ({ name = "", email = "", password = "" }) => {
              await signUp({ name, email, password }, intent.invitation);
              await enter();
            }}
          >
            <Field label="Name" name="name" autoComplete="name" required maxLength={100} />
            <Field
              label="Email"
              name="email"
              type="email"
              autoComplete="username"
              required
              {...(intent.invitation === undefined ? {} : { hint: "Use the address the invitation was sent to." })}
            />
            <NewPassword />
          </Form>
        </>
      )}
      <p className={styles.soft}>
        <Link to={paths.login} search={intent}>
          Sign in instead
        </Link>
      </p>
    </Entrance>
  );
}
