import { useQuery } from "@tanstack/react-query";
import type { OfferedIntegration } from "@whence/protocol";
import type { JSX } from "react";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Rows } from "../../../components/rows.tsx";
import { integrationsQuery } from "../api/integrations.ts";
import { IntegrationRow } from "./integration-row.tsx";
import { SettingsPage } from "./settings-page.tsx";

/** The third parties that an organization can connect, each with its contribution to investigations. */
export function IntegrationsPage(): JSX.Element {
  const integrations = useQuery(integrationsQuery);
  return (
    <SettingsPage
      title="Integrations"
      lead={
        <>
          What investigations ask, besides your telemetry and source code. Investigations only read, and Whence stores
          credentials encrypted. <a href="/docs/integrations">What is asked, and when</a>
        </>
      }
      owners="can connect and disconnect integrations"
    >
      <Loaded query={integrations} lines={12}>
        {({ integrations: all }) => (
          <>
            <Integrations
              title="Connected"
              none="No integrations connected. Connect one below: the next investigation asks it."
              offered={all.filter(({ connection }) => connection !== null)}
            />
            <Integrations
              title="Available"
              none="All integrations are connected."
              offered={all.filter(({ connection }) => connection === null)}
            />
          </>
        )}
      </Loaded>
    </SettingsPage>
  );
}

interface IntegrationsProps {
  readonly title: string;
  readonly none: string;
  readonly offered: readonly OfferedIntegration[];
}

function Integrations({ title, none, offered }: IntegrationsProps): JSX.Element {
  const sorted = offered.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
  return (
    <Panel title={title}>
      <Rows none={none}>
        {sorted.map((one) => (
          <IntegrationRow key={one.kind} offered={one} name={nameOf(one)} />
        ))}
      </Rows>
    </Panel>
  );
}

/** Returns the vendor's name; for a kind with several vendors, all of them until one is connected. */
function nameOf({ connection, vendors }: OfferedIntegration): string {
  return connection?.vendor ?? vendors.map(({ name }) => name).join(" or ");
}
