import { useQuery } from "@tanstack/react-query";
import {
  type Integration,
  type IntegrationKind,
  type IntegrationKindName,
  integrationKindName,
  integrationKinds,
} from "@whence/protocol";
import { type JSX, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { disconnect, integrationsQuery } from "../api/integrations.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { IntegrationForm } from "./integration-form.tsx";
import { SettingsPage } from "./settings-page.tsx";

const names: readonly IntegrationKindName[] = Object.keys(integrationKinds)
  .map(integrationKindName)
  .filter((name) => name !== null);

/** The integrations of an organization, each with what it adds to investigations. */
export function IntegrationsPage(): JSX.Element {
  const integrations = useQuery(integrationsQuery);
  return (
    <SettingsPage
      title="Integrations"
      lead="Other sources that an investigation can query. Credentials are stored encrypted and never shown again."
      owners="can connect and disconnect integrations"
    >
      <Loaded query={integrations} lines={12}>
        {(data) => {
          const connected = (name: IntegrationKindName): Integration | undefined =>
            data.integrations.find(({ kind }) => kind === name);
          return (
            <>
              <Kinds
                title="Connected"
                none="No integrations connected yet."
                kinds={names.filter(connected)}
                of={connected}
              />
              <Kinds
                title="Available"
                none="All integrations are connected."
                kinds={names.filter((name) => !connected(name))}
                of={connected}
              />
            </>
          );
        }}
      </Loaded>
    </SettingsPage>
  );
}

interface KindsProps {
  readonly title: string;
  readonly none: string;
  readonly kinds: readonly IntegrationKindName[];
  readonly of: (name: IntegrationKindName) => Integration | undefined;
}

function Kinds({ title, none, kinds, of }: KindsProps): JSX.Element {
  return (
    <Panel title={title}>
      <Rows none={none}>
        {kinds.map((name) => (
          <KindRow key={name} name={name} integration={of(name)} />
        ))}
      </Rows>
    </Panel>
  );
}

interface KindProps {
  readonly name: IntegrationKindName;
  readonly integration: Integration | undefined;
}

function KindRow({ name, integration }: KindProps): JSX.Element {
  const { isOwner } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  const { label, brings, inputs, authorization }: IntegrationKind = integrationKinds[name];
  const canEnter = inputs.length > 0;
  const action = isOpen ? "Close" : integration ? "Replace" : "Connect";
  return (
    <Row
      title={
        <>
          {label}
          {integration ? <Badge tone="good">connected</Badge> : null}
        </>
      }
      facts={[
        `Provides ${brings}`,
        authorization
          ? `${canEnter ? "Connecting through OAuth" : "Connects through OAuth, which"} isn't available yet`
          : null,
        ...(integration ? connectionFacts(integration) : []),
      ]}
      actions={
        isOwner && canEnter ? (
          <>
            <Button aria-expanded={isOpen} aria-label={`${action} ${label}`} onClick={() => setIsOpen(!isOpen)}>
              {action}
            </Button>
            {integration ? <Disconnect name={name} label={label} /> : null}
          </>
        ) : null
      }
    >
      {isOpen ? (
        <IntegrationForm name={name} shown={integration?.inputs ?? {}} onDone={() => setIsOpen(false)} />
      ) : null}
    </Row>
  );
}

function connectionFacts({ inputs, credentials, connected_at, connected_by }: Integration): JSX.Element[] {
  return [
    <>
      by {connected_by.name} <TimeAgo at={connected_at} />
    </>,
    ...Object.entries(inputs).map(([input, value]) => (
      <>
        {input.replaceAll("_", " ")} <code>{value}</code>
      </>
    )),
    ...credentials.map((credential) => <>{credential.replaceAll("_", " ")} stored encrypted</>),
  ];
}

function Disconnect({ name, label }: { readonly name: IntegrationKindName; readonly label: string }): JSX.Element {
  const change = useChange();
  return (
    <ConfirmButton
      label="Disconnect"
      of={label}
      title={`Disconnect ${label}?`}
      action={() => change(disconnect(name), `${label} disconnected`)}
    >
      <p>Its stored credentials will be deleted. To connect it again, you have to enter them again.</p>
    </ConfirmButton>
  );
}
