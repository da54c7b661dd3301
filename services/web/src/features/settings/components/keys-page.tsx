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
import { Select } from "../../../components/select.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { agentsQuery } from "../api/agents.ts";
import { createKey, keysQuery, revokeKey } from "../api/keys.ts";
import { keyScopeOptions, keyScopesName } from "../key-scope-names.ts";
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
      lead={
        <>
          Services send telemetry with a key, and programs use one to call the <a href="/docs/api">HTTP API</a>. A key
          works for this organization only and is limited to its scope. Give services a send key.
        </>
      }
      owners="can create and revoke keys"
    >
      {isOwner ? <NewKey /> : null}
      <Panel title="Keys">
        <Loaded query={keys} lines={4}>
          {(data) => (
            <Rows none="No keys yet. Create one above and give it to a service.">
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
          This is the key <strong>{made.name}</strong>. Copy it now; it won't be shown again.
        </p>
        <CopyField label="New key" value={made.api_key} />
        <div>
          <Button onClick={() => setMade(null)}>Done</Button>
        </div>
      </div>
    );
  }
  return (
    <Form
      action="Create key"
      inline
      submit={async ({ name = "", scope = "" }) => setMade(await change(createKey(name.trim(), scope), "Key created"))}
    >
      {(problems) => (
        <>
          <Field
            label="Name of the new key"
            name="name"
            required
            pattern=".*\S.*"
            maxLength={nameLengthMax}
            autoComplete="off"
            placeholder="checkout in production"
            problem={problems.name}
          />
          <Select label="Scope" name="scope" options={keyScopeOptions} problem={problems.scope} />
        </>
      )}
    </Form>
  );
}

function KeyRow({ apiKey }: { readonly apiKey: ApiKey }): JSX.Element {
  const { isOwner } = useViewer();
  const change = useChange();
  const { key_id, name, prefix, scopes, created_at, last_used_at, revoked_at, agent_id } = apiKey;
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
        keyScopesName(scopes),
        agent_id === null ? null : <AgentName key="agent" id={agent_id} />,
        <>
          created <TimeAgo at={created_at} />
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
            action={() => change(revokeKey(key_id), "Key revoked")}
          >
            <p>
              Clients that use <code>{prefix}…</code> will be rejected, and their telemetry is lost until they have
              another key. This can't be undone.
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
