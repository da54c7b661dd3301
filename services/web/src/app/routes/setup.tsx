import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Field } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Placeholder } from "../../components/placeholder.tsx";
import { Problem } from "../../components/problem.tsx";
import { paths } from "../../config/paths.ts";
import { setUp } from "../../features/session/api/account.ts";
import { setupQuery } from "../../features/session/api/get-setup.ts";
import { Entrance } from "../../features/session/components/entrance.tsx";
import { NewPassword } from "../../features/session/components/new-password.tsx";
import { useEntering } from "../../features/session/components/use-entering.ts";

const route = getRouteApi(paths.setup);

/** The page of the one-time link that the first start prints. */
export function SetupRoute(): JSX.Element {
  const { token, next } = route.useSearch();
  const enter = useEntering({ next });
  const { error, isPending } = useQuery(setupQuery(token));
  return (
    <Entrance title="Set up Whence">
      {isPending ? <Placeholder lines={6} /> : null}
      {error ? (
        <>
          <Problem error={error} />
          <Link to={paths.login} search={{}}>
            Sign in
          </Link>
        </>
      ) : null}
      {isPending || error ? null : (
        <>
          <p>
            You will own the organization <strong>default</strong>. This link works only once.
          </p>
          <Form
            action="Create owner account"
            submit={async ({ name = "", email = "", password = "" }) => {
              await setUp({ token, name, email, password });
              await enter();
            }}
          >
            <Field label="Name" name="name" autoComplete="name" required maxLength={100} autoFocus />
            <Field label="Email" name="email" type="email" autoComplete="username" required />
            <NewPassword />
          </Form>
        </>
      )}
    </Entrance>
  );
}
