import {
  type IntegrationKind,
  type IntegrationKindName,
  integrationKinds,
  type OfferedIntegration,
} from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Row } from "../../../components/rows.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { authorize } from "../api/integrations.ts";
import styles from "../components/settings-page.module.css";
import { useViewer } from "../viewer.ts";
import { AccountForm } from "./account-form.tsx";
import { IntegrationForm } from "./integration-form.tsx";

export interface IntegrationRowProps {
  readonly offered: OfferedIntegration;
  /** The name of the vendor, or of the kind's vendors. */
  readonly name: string;
}

/** An integration by its vendor's name: what it contributes, and the form that connects it. */
export function IntegrationRow({ offered, name }: IntegrationRowProps): JSX.Element {
  const { isOwner } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  const { kind, vendors, connections } = offered;
  const toggle = (): void => setIsOpen(!isOpen);
  return (
    <Row
      title={name}
      facts={aboutKind(offered)}
      actions={isOwner ? <Actions offered={offered} name={name} isOpen={isOpen} toggle={toggle} /> : null}
    >
      <div className={styles.stack}>
        <Tested vendors={vendors} />
        {isOpen && takesAccount(offered) ? <AccountForm /> : null}
        {isOpen && !takesAccount(offered) ? (
          <IntegrationForm
            {...{ kind, title: name, replaced: null, onDone: () => setIsOpen(false) }}
            taken={connections.map((one) => one.name)}
          />
        ) : null}
      </div>
    </Row>
  );
}

/** GitHub's app may be installed for several accounts; a person chooses one. */
function takesAccount({ kind, authorization }: OfferedIntegration): boolean {
  return kind === "github" && authorization === "configured";
}

/** What a kind is and contributes, unless its vendor's name says it. */
export function aboutKind({ kind, vendors, authorization, connections }: OfferedIntegration): readonly string[] {
  const { label, brings, inputs }: IntegrationKind = integrationKinds[kind];
  const needsOperator = authorization === "not configured" && inputs.length === 0 && connections.length === 0;
  return [
    ...(vendors.some(({ name }) => name === label) ? [] : [label]),
    `Provides ${brings}`,
    ...(needsOperator ? ["Needs an application that the operator of this service hasn't configured"] : []),
  ];
}

/** What each vendor's code was tested against, and a link to its page. */
export function Tested({ vendors }: Pick<OfferedIntegration, "vendors">): JSX.Element {
  return (
    <div>
      {vendors.map(({ name, checked_against: against, documentation }) => (
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
  const { kind, authorization, connections } = offered;
  const { inputs }: IntegrationKind = integrationKinds[kind];
  // What people authorize is the connection without a name.
  const mayAuthorize = authorization === "configured" && !connections.some((one) => one.name === "");
  const verb = connections.length > 0 ? "Connect another" : mayAuthorize && inputs.length > 0 ? "Enter key" : "Connect";
  return (
    <>
      {mayAuthorize && !takesAccount(offered) ? (
        <Button aria-label={`Connect ${name}`} onClick={() => void leave(kind)}>
          Connect
        </Button>
      ) : null}
      {inputs.length > 0 || takesAccount(offered) ? (
        <Button
          aria-expanded={isOpen}
          aria-label={isOpen ? `Close ${name}` : `${verb} ${verb === "Enter key" ? "of " : ""}${name}`}
          onClick={toggle}
        >
          {isOpen ? "Close" : verb}
        </Button>
      ) : null}
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
