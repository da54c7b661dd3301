import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { PageTitle } from "../../../components/page-title.tsx";
import { createOrganization } from "../api/account.ts";
import { sessionQuery } from "../api/get-session.ts";
import { signInOptionsQuery } from "../api/get-sign-in-options.ts";
import styles from "./organization-gate.module.css";

/** Shows its children to members of an organization. Others create one first, where sign-up is open. */
export function OrganizationGate({ children }: { readonly children: ReactNode }): ReactNode {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session.organization ? children : <FirstOrganization />;
}

function FirstOrganization(): JSX.Element {
  const queryClient = useQueryClient();
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  if (options.sign_up === "invited") {
    return (
      <div className={styles.gate}>
        <PageTitle title="Your organization" />
        <p>You don't belong to an organization. Ask an owner for an invitation and open its link.</p>
      </div>
    );
  }
  return (
    <div className={styles.gate}>
      <PageTitle title="Your organization" />
      <p>Incidents, keys, and members belong to an organization. Create one, or open an invitation link.</p>
      <Form
        action="Create organization"
        submit={async ({ name = "" }) => {
          await createOrganization(name);
          await queryClient.resetQueries();
        }}
      >
        <Field label="Name" name="name" required maxLength={100} autoComplete="organization" />
      </Form>
    </div>
  );
}
