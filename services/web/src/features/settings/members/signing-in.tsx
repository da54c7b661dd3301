import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Choices } from "../../../components/choices.tsx";
import { Form } from "../../../components/form.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { chosenOf } from "../../../lib/chosen.ts";
import { changeOrganization, organizationQuery } from "../api/organization.ts";
import { useChange } from "../use-change.ts";

const ways = [{ value: "off", name: "Members can't sign in with a password" }];

/** Turns passwords off for the organization's members, where the service has single sign-on. */
export function SigningIn(): JSX.Element {
  const organization = useQuery(organizationQuery);
  const change = useChange();
  return (
    <Panel title="Signing in" note="Passwords can be turned off once an owner has used the service's single sign-on.">
      <Loaded query={organization} lines={2}>
        {({ settings }) => (
          <Form
            action="Save"
            submit={async (fields) => {
              const passwords_off = chosenOf(fields, "passwords", ways).length > 0;
              await change(changeOrganization({ ...settings, passwords_off }), "Saved");
            }}
          >
            <Choices
              label="Passwords"
              name="passwords"
              options={ways}
              chosen={settings.passwords_off ? ["off"] : []}
              hint="They work again when no owner is left who has used single sign-on, so that no one is locked out."
            />
          </Form>
        )}
      </Loaded>
    </Panel>
  );
}
