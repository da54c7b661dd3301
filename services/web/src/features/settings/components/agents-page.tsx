import { useQuery } from "@tanstack/react-query";
import type { AgentSummary } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { agentsQuery, claimByToken, revokeAgent } from "../api/agents.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { SettingsPage } from "./settings-page.tsx";

const tokenLengthMax = 200;

/** The agents that belong to the organization, and taking in another. */
export function AgentsPage(): JSX.Element {
  const agents = useQuery(agentsQuery);
  return (
    <SettingsPage
      title="Agents"
      lead="A coding agent registers by itself and may ask for a few analyses. Once claimed it does not expire, uses what the organization has connected, and reads its incidents."
      owners="revoke agents; every member may claim one"
    >
      {agents.data?.registration === "off" ? <RegistrationOff /> : <Claim />}
      <Panel title="Claimed agents">
        <Loaded query={agents} lines={4}>
          {(data) => (
            <Rows none="No agent was claimed yet.">
              {data.agents.map((agent) => (
                <AgentRow key={agent.agent_id} agent={agent} />
              ))}
            </Rows>
          )}
        </Loaded>
      </Panel>
    </SettingsPage>
  );
}

function RegistrationOff(): JSX.Element {
  return (
    <Panel title="Registration is off">
      <p>
        Agents can't register on this service. Give an agent an API key of your organization in{" "}
        <code>WHENCE_API_KEY</code>.
      </p>
    </Panel>
  );
}

function Claim(): JSX.Element {
  const change = useChange();
  const [claimed, setClaimed] = useState(0);
  return (
    <Form
      key={claimed}
      action="Claim the agent"
      inline
      submit={async ({ token = "" }) => {
        await change(claimByToken(token.trim()), "The agent is claimed, and expires no more");
        setClaimed((count) => count + 1);
      }}
    >
      {(problems) => (
        <Field
          label="Claim token"
          name="token"
          required
          maxLength={tokenLengthMax}
          autoComplete="off"
          spellCheck={false}
          placeholder="whc_…"
          hint="The agent shows it when it registers, alone and at the end of its link. An unclaimed agent has three days."
          problem={problems.claim_token}
        />
      )}
    </Form>
  );
}

function AgentRow({ agent }: { readonly agent: AgentSummary }): JSX.Element {
  const { isOwner } = useViewer();
  const change = useChange();
  const { agent_id, source, claimed_at, last_used_at, revoked_at } = agent;
  return (
    <Row
      isPast={revoked_at !== null}
      title={
        <>
          {source}
          {revoked_at === null ? <Badge tone="good">claimed</Badge> : <Badge tone="low">revoked</Badge>}
        </>
      }
      facts={[
        <code key="id">{agent_id}</code>,
        <>
          claimed <TimeAgo at={claimed_at} />
        </>,
        last_used_at === null ? (
          "never used"
        ) : (
          <>
            used <TimeAgo at={last_used_at} />
          </>
        ),
        revoked_at === null ? (
          "does not expire"
        ) : (
          <>
            revoked <TimeAgo at={revoked_at} />
          </>
        ),
      ]}
      actions={
        isOwner && revoked_at === null ? (
          <ConfirmButton
            label="Revoke"
            of={source}
            title={`Revoke the agent ${source}?`}
            action={() => change(revokeAgent(agent_id), "The agent is revoked")}
          >
            <p>Its key is refused from that moment. Its incidents stay with the organization. There is no way back.</p>
          </ConfirmButton>
        ) : null
      }
    />
  );
}
