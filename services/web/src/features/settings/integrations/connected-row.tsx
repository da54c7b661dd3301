import {
  connectionTitle,
  type Integration,
  type IntegrationKind,
  integrationKinds,
  type OfferedIntegration,
} from "@whence/protocol";
import { type JSX, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Row } from "../../../components/rows.tsx";
import { disconnect } from "../api/integrations.ts";
import styles from "../components/settings-page.module.css";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { ConnectionNameForm } from "./connection-name-form.tsx";
import { IntegrationConnection } from "./integration-connection.tsx";
import { IntegrationForm } from "./integration-form.tsx";
import { aboutKind, Tested } from "./integration-row.tsx";
import { isFailing } from "./integration-state.ts";

export interface ConnectedRowProps {
  readonly offered: OfferedIntegration;
  readonly connection: Integration;
}

/** One connection: its state, what it has contributed, and the form that replaces its inputs. */
export function ConnectedRow({ offered, connection }: ConnectedRowProps): JSX.Element {
  const { isOwner } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  const [isNaming, setNaming] = useState(false);
  const { kind, vendor } = connection;
  const title = connectionTitle(connection);
  return (
    <Row
      title={
        <>
          {title}
          {isFailing(connection) ? <Badge tone="critical">failing</Badge> : <Badge tone="good">connected</Badge>}
        </>
      }
      facts={aboutKind(offered)}
      actions={
        isOwner ? (
          <>
            {isEntered(offered) ? (
              <Button
                aria-expanded={isOpen}
                aria-label={`${isOpen ? "Close" : "Replace"} ${title}`}
                onClick={() => setIsOpen(!isOpen)}
              >
                {isOpen ? "Close" : "Replace"}
              </Button>
            ) : null}
            {isEntered(offered) ? (
              <Button aria-expanded={isNaming} aria-label={`Rename ${title}`} onClick={() => setNaming(!isNaming)}>
                Rename
              </Button>
            ) : null}
            <Disconnect connection={connection} />
          </>
        ) : null
      }
    >
      <div className={styles.stack}>
        <Tested vendors={offered.vendors.filter(({ name }) => name === vendor)} />
        <IntegrationConnection connection={connection} />
        {isNaming ? <ConnectionNameForm connection={connection} onDone={() => setNaming(false)} /> : null}
        {isOpen ? (
          <IntegrationForm {...{ kind, title }} replaced={connection} taken={[]} onDone={() => setIsOpen(false)} />
        ) : null}
      </div>
    </Row>
  );
}

function isEntered({ kind }: OfferedIntegration): boolean {
  const { inputs }: IntegrationKind = integrationKinds[kind];
  return inputs.length > 0;
}

function Disconnect({ connection }: Pick<ConnectedRowProps, "connection">): JSX.Element {
  const change = useChange();
  const title = connectionTitle(connection);
  return (
    <ConfirmButton
      label="Disconnect"
      of={title}
      title={`Disconnect ${title}?`}
      action={() => change(disconnect(connection), `${title} disconnected`)}
    >
      <p>
        Investigations won't ask it any longer, and its stored credentials will be deleted. To connect it again, you
        have to enter them again.
      </p>
    </ConfirmButton>
  );
}
