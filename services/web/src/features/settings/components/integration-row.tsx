import {
  type IntegrationKind,
  type IntegrationKindName,
  integrationKinds,
  type OfferedIntegration,
} from "@whence/protocol";
import { type JSX, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Row } from "../../../components/rows.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { authorize, disconnect } from "../api/integrations.ts";
import { isFailing } from "../integration-state.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { AccountForm } from "./account-form.tsx";
import { IntegrationConnection } from "./integration-connection.tsx";
import { IntegrationForm } from "./integration-form.tsx";
import styles from "./settings-page.module.css";

export interface IntegrationRowProps {
  readonly offered: OfferedIntegration;
  /** The name of the vendor, or of the kind's vendors. */
  readonly name: string;
}

/** An integration by its vendor's name: what it contributes, its state, and the form that connects it. */
export function IntegrationRow({ offered, name }: IntegrationRowProps): JSX.Element {
  const { isOwner } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  const { kind, connection } = offered;
  const toggle = (): void => setIsOpen(!isOpen);
  return (
    <Row
      title={
        <>
          {name}
          {connection ? <State isFailing={isFailing(connection)} /> : null}
        </>
      }
      facts={aboutKind(offered)}
      actions={isOwner ? <Actions offered={offered} name={name} isOpen={isOpen} toggle={toggle} /> : null}
    >
      <div className={styles.stack}>
        <Tested offered={offered} />
        {connection ? <IntegrationConnection connection={connection} /> : null}
        {isOpen && takesAccount(offered) ? <AccountForm /> : null}
        {isOpen && !takesAccount(offered) ? (
          <IntegrationForm {...{ kind, name }} shown={connection?.inputs ?? {}} onDone={() => setIsOpen(false)} />
        ) : null}
      </div>
    </Row>
  );
}

function State(connection: { readonly isFailing: boolean }): JSX.Element {
  return connection.isFailing ? <Badge tone="critical">failing</Badge> : <Badge tone="good">connected</Badge>;
}

/** GitHub's app may be installed for several accounts; a person chooses one. */
function takesAccount({ kind, authorization }: OfferedIntegration): boolean {
  return kind === "github" && authorization === "configured";
}

function aboutKind({ kind, vendors, authorization, connection }: OfferedIntegration): readonly string[] {
  const { label, brings, inputs }: IntegrationKind = integrationKinds[kind];
  const needsOperator = authorization === "not configured" && inputs.length === 0 && connection === null;
  return [
    ...(vendors.some(({ name }) => name === label) ? [] : [label]),
    `Provides ${brings}`,
    ...(needsOperator ? ["Needs an application that the operator of this service hasn't configured"] : []),
  ];
}

/** What each vendor's code was tested against, and a link to its page. */
function Tested({ offered: { vendors, connection } }: Pick<IntegrationRowProps, "offered">): JSX.Element {
  const shown = connection ? vendors.filter(({ name }) => name === connection.vendor) : vendors;
  return (
    <div>
      {shown.map(({ name, checked_against: against, documentation }) => (
        <p key={name} className={styles.soft}>
          <a href={documentation}>Set up {name}</a>
          {". "}
          {against.startsWith("a double") ? `Tested only against ${against}.` : `Tested against ${against}.`}
        </p>
      ))}
    </div>
  );
}

interface ActionsProps extends IntegrationRowProps {
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

function Actions({ offered, name, isOpen, toggle }: ActionsProps): JSX.Element {
  const { kind, authorization, connection } = offered;
  const { inputs }: IntegrationKind = integrationKinds[kind];
  const mayAuthorize = authorization === "configured";
  const verb = connection ? "Replace" : mayAuthorize && inputs.length > 0 ? "Enter key" : "Connect";
  return (
    <>
      {mayAuthorize && !connection && !takesAccount(offered) ? (
        <Button aria-label={`Connect ${name}`} onClick={() => void leave(kind)}>
          Connect
        </Button>
      ) : null}
      {inputs.length > 0 || (takesAccount(offered) && !connection) ? (
        <Button
          aria-expanded={isOpen}
          aria-label={isOpen ? `Close ${name}` : `${verb} ${verb === "Enter key" ? "of " : ""}${name}`}
          onClick={toggle}
        >
          {isOpen ? "Close" : verb}
        </Button>
      ) : null}
      {connection ? <Disconnect offered={offered} name={name} /> : null}
    </>
  );
}

async function leave(kind: IntegrationKindName): Promise<void> {
  try {
    await authorize(kind);
  } catch (error) {
    toasts.add({ title: error instanceof Error ? error.message : String(error) });
  }
}

function Disconnect({ offered: { kind }, name }: IntegrationRowProps): JSX.Element {
  const change = useChange();
  return (
    <ConfirmButton
      label="Disconnect"
      of={name}
      title={`Disconnect ${name}?`}
      action={() => change(disconnect(kind), `${name} disconnected`)}
    >
      <p>
        Investigations won't ask it any longer, and its stored credentials will be deleted. To connect it again, you
        have to enter them again.
      </p>
    </ConfirmButton>
  );
}
