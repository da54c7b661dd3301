import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import type { Session } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { createOrganization, switchOrganization } from "../api/account.ts";
import { signInOptionsQuery } from "../api/get-sign-in-options.ts";

const nameLengthMax = 100;

/** The person's organizations: which one is active, and creating another. */
export function Organizations({ session }: { readonly session: Session }): JSX.Element {
  const { organization: active, organizations } = session;
  const [isMaking, setIsMaking] = useState(false);
  const act = useActing();
  const { data: options } = useSuspenseQuery(signInOptionsQuery);
  const mayMake = options.sign_up === "open" || organizations.some(({ role }) => role === "owner");
  return (
    <Panel title="Your organizations" note="You see and change the data of the active organization.">
      <Rows none="None.">
        {organizations.map(({ id, name, role }) => (
          <Row
            key={id}
            title={
              <>
                {name}
                {id === active?.id ? <Badge tone="good">active</Badge> : null}
              </>
            }
            facts={[role]}
            actions={
              id === active?.id ? null : (
                <Button aria-label={`Switch to ${name}`} onClick={() => void act(switchOrganization(id)).catch(sayWhy)}>
                  Switch
                </Button>
              )
            }
          />
        ))}
      </Rows>
      {isMaking ? (
        <Form
          action="Create organization"
          inline
          submit={async ({ name = "" }) => {
            await act(createOrganization(name.trim()));
            setIsMaking(false);
          }}
        >
          <Field
            label="Name"
            name="name"
            required
            pattern=".*\S.*"
            maxLength={nameLengthMax}
            autoComplete="organization"
          />
        </Form>
      ) : mayMake ? (
        <div>
          <Button onClick={() => setIsMaking(true)}>Create another organization</Button>
        </div>
      ) : null}
    </Panel>
  );
}

/** Resets all queries, whose data belongs to the previous organization. */
function useActing(): (change: Promise<void>) => Promise<void> {
  const queryClient = useQueryClient();
  return async (change) => {
    await change;
    await queryClient.resetQueries();
  };
}

function sayWhy(error: unknown): void {
  toasts.add({ title: "Something went wrong", description: error instanceof Error ? error.message : String(error) });
}
