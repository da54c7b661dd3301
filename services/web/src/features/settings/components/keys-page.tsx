import { useQuery } from "@tanstack/react-query";
import type { ApiKey, CreatedApiKey } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { agentsQuery } from "../api/agents.ts";
import { createKey, keysQuery, revokeKey } from "../api/keys.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import styles from "./settings-page.module.css";
import { SettingsPage } from "./settings-page.tsx";

const nameLengthMax = 100;

/** The keys of the organization and of its agents. */
export function KeysPage(): JSX.Element {
  const { isOwner } = useViewer();
  const keys = useQuery(keysQuery);
  return (
    <SettingsPage
      title="API keys"
      lead="A service sends its telemetry with a key, and a program asks for analyses with one. A key opens what its organization has, and nothing else."
      owners="make and revoke keys"
    >
      {isOwner ? <NewKey /> : null}
      <Panel title="Keys">
        <Loaded query={keys} lines={4}>
          {(data) => (
            <Rows none="There is no key yet.">
              {data.keys.map((key) => (
                <KeyRow key={key.key_id} apiKey={key} />
              ))}
            </Rows>
          )}
        </Loaded>
      </Panel>
    </SettingsPage>
  );
}

function NewKey(): JSX.Element {
  const change = useChange();
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  if (made) {
    return (
      <div className={styles.notice} role="status">
        <p>
          This is the key <strong>{made.name}</strong>. It is shown this once: copy it to where it is used.
        </p>
        <CopyField label="The new key" value={made.api_key} />
        <div>
          <Button onClick={() => setMade(null)}>I have it</Button>
        </div>
      </div>
    );
  }
  return (
    <Form
      action="Make a key"
      inline
      submit={async ({ name = "" }) => setMade(await change(createKey(name.trim()), "The key is made"))}
    >
      {(problems) => (
        <Field
          label="Name of a new key"
          name="name"
          required
          pattern=".*\S.*"
          maxLength={nameLengthMax}
          autoComplete="off"
          placeholder="checkout in production"
          problem={problems.name}
        />
      )}
    </Form>
  );
}

function KeyRow({ apiKey }: { readonly apiKey: ApiKey }): JSX.Element {
  const { isOwner } = useViewer();
  const change = useChange();
  const { key_id, name, prefix, created_at, last_used_at, revoked_at, agent_id } = apiKey;
  return (
    <Row
      isPast={revoked_at !== null}
      title={
        <>
          {name} <code>{prefix}…</code>
          {revoked_at === null ? null : <Badge tone="low">revoked</Badge>}
        </>
      }
      facts={[
        agent_id === null ? null : <AgentName key="agent" id={agent_id} />,
        <>
          made <TimeAgo at={created_at} />
        </>,
        last_used_at === null ? (
          "never used"
        ) : (
          <>
            used <TimeAgo at={last_used_at} />
          </>
        ),
        revoked_at === null ? null : (
          <>
            revoked <TimeAgo at={revoked_at} />
          </>
        ),
      ]}
      actions={
        isOwner && revoked_at === null ? (
          <ConfirmButton
            label="Revoke"
            of={name}
            title={`Revoke the key ${name}?`}
            action={() => change(revokeKey(key_id), "The key is revoked")}
          >
            <p>
              Whatever uses <code>{prefix}…</code> is refused from that moment: its telemetry is lost until it has
              another key. There is no way back.
            </p>
          </ConfirmButton>
        ) : null
      }
    />
  );
}

function AgentName({ id }: { readonly id: string }): JSX.Element {
  const { data } = useQuery(agentsQuery);
  const source = data?.agents.find(({ agent_id }) => agent_id === id)?.source;
  return <>of the agent {source ?? id}</>;
}
