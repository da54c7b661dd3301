import { useQuery } from "@tanstack/react-query";
import type { ApiKey, CreatedApiKey } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { agentsQuery } from "../api/agents.ts";
import { keysQuery, revokeKey, rotateKey } from "../api/keys.ts";
import { SettingsPage } from "../components/settings-page.tsx";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { keyScopesName } from "./key-scope-names.ts";
import { MadeKey, NewKeyForm } from "./new-key.tsx";

/** The keys of the organization and of its agents. */
export function KeysPage(): JSX.Element {
  const { isOwner } = useViewer();
  const keys = useQuery(keysQuery);
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  return (
    <SettingsPage
      title="API keys"
      lead={
        <>
          Services send telemetry with a key, and programs use one to call the <a href="/docs/api">HTTP API</a>. A key
          works for this organization only and is limited to its scope. Give services a send key. For services that
          report to Sentry, create a key with the scope Sentry, and{" "}
          <a href="/docs/sdk/sentry-clients">change their DSN</a>.
        </>
      }
      owners="can create and revoke keys"
    >
      {made ? <MadeKey made={made} onDone={() => setMade(null)} /> : isOwner ? <NewKeyForm onMade={setMade} /> : null}
      <Panel title="Keys">
        <Loaded query={keys} lines={4}>
          {(data) => (
            <Rows none="No keys yet. Create one above and give it to a service.">
              {data.keys.map((key) => (
                <KeyRow key={key.key_id} apiKey={key} onRotated={setMade} />
              ))}
            </Rows>
          )}
        </Loaded>
      </Panel>
    </SettingsPage>
  );
}

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly onRotated: (made: CreatedApiKey) => void;
}

function KeyRow({ apiKey, onRotated }: KeyRowProps): JSX.Element {
  const { isOwner } = useViewer();
  const change = useChange();
  const { key_id, name, prefix, scopes, created_at, last_used_at, revoked_at, agent_id, project } = apiKey;
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
        project === null ? null : `for ${project.service} in ${project.env}`,
        project === null || project.origins.length === 0 ? null : `from ${project.origins.join(", ")}`,
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
          <>
            {agent_id === null ? (
              <ConfirmButton
                label="Rotate"
                of={name}
                title={`Rotate the key ${name}?`}
                action={async () => onRotated(await change(rotateKey(key_id), "Key created"))}
              >
                <p>
                  This creates another key with the same name and scope. <code>{prefix}…</code> keeps working until you
                  revoke it.
                </p>
              </ConfirmButton>
            ) : null}
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
          </>
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
