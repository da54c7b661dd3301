import { useQuery } from "@tanstack/react-query";
import { connectionTitle, type IntegrationKind, integrationKinds, type OfferedIntegration } from "@whence/protocol";
import type { JSX } from "react";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Rows } from "../../../components/rows.tsx";
import { integrationsQuery } from "../api/integrations.ts";
import { SettingsPage } from "../components/settings-page.tsx";
import { ConnectedRow } from "./connected-row.tsx";
import { IntegrationRow } from "./integration-row.tsx";

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
            <Connected offered={all} />
            <Available offered={all.filter(takesAnother)} />
          </>
        )}
      </Loaded>
    </SettingsPage>
  );
}

/** Returns whether another can be connected: several of a kind where credentials are entered, one otherwise. */
function takesAnother({ kind, connections }: OfferedIntegration): boolean {
  const { inputs }: IntegrationKind = integrationKinds[kind];
  return connections.length === 0 || inputs.length > 0;
}

interface IntegrationsProps {
  readonly offered: readonly OfferedIntegration[];
}

function Connected({ offered }: IntegrationsProps): JSX.Element {
  const connected = offered.flatMap((one) =>
    one.connections.map((connection) => ({ offered: one, connection, title: connectionTitle(connection) })),
  );
  return (
    <Panel title="Connected">
      <Rows none="No integrations connected. Connect one below: the next investigation asks it.">
        {connected
          .toSorted((one, other) => one.title.localeCompare(other.title))
          .map(({ offered: kind, connection, title }) => (
            <ConnectedRow key={`${connection.kind} ${title}`} offered={kind} connection={connection} />
          ))}
      </Rows>
    </Panel>
  );
}

function Available({ offered }: IntegrationsProps): JSX.Element {
  return (
    <Panel title="Available">
      <Rows none="All integrations are connected.">
        {offered
          .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))
          .map((one) => (
            <IntegrationRow key={one.kind} offered={one} name={nameOf(one)} />
          ))}
      </Rows>
    </Panel>
  );
}

/** Returns the name of the kind's vendor, or of all of them. */
function nameOf({ vendors }: OfferedIntegration): string {
  return vendors.map(({ name }) => name).join(" or ");
}
