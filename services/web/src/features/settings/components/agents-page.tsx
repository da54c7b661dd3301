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
import { agentsQuery, claimByToken, confirmAgent, revokeAgent } from "../api/agents.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { SettingsPage } from "./settings-page.tsx";

const tokenLengthMax = 200;

/** The organization's agents, and claiming another. */
export function AgentsPage(): JSX.Element {
  const agents = useQuery(agentsQuery);
  return (
    <SettingsPage
      title="Agents"
      lead="A coding agent registers on its own and can start a few analyses. Once claimed it no longer expires: it starts analyses and reads what the organization has stored, within the rights of the member who is responsible for it. When that member leaves, it stops until an owner confirms it."
      owners="can confirm and revoke agents; every member can claim one"
    >
      {agents.data?.registration === "off" ? <RegistrationOff /> : <Claim />}
      <Panel title="Claimed agents">
        <Loaded query={agents} lines={4}>
          {(data) => (
            <Rows none="No claimed agents. Claim one with the token it shows when it registers.">
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
      action="Claim agent"
      inline
      submit={async ({ token = "" }) => {
        await change(claimByToken(token.trim()), "Agent claimed");
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
  const { agent_id, source, registered_from, claimed_at, responsible, last_used_at, revoked_at } = agent;
  return (
    <Row
      isPast={revoked_at !== null}
      title={
        <>
          {source}
          <AgentState agent={agent} />
        </>
      }
      facts={[
        <code key="id">{agent_id}</code>,
        registered_from === null ? null : <>registered from {registered_from}</>,
        <>responsible: {responsible.name}</>,
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
      actions={isOwner && revoked_at === null ? <OwnerActions agent={agent} /> : null}
    />
  );
}

function AgentState({ agent: { revoked_at, needs_confirmation } }: { readonly agent: AgentSummary }): JSX.Element {
  if (revoked_at !== null) return <Badge tone="low">revoked</Badge>;
  if (needs_confirmation) return <Badge tone="high">stopped</Badge>;
  return <Badge tone="good">claimed</Badge>;
}

function OwnerActions({ agent }: { readonly agent: AgentSummary }): JSX.Element {
  const change = useChange();
  const { agent_id, source, responsible, needs_confirmation } = agent;
  return (
    <>
      {needs_confirmation ? (
        <ConfirmButton
          label="Confirm"
          of={source}
          title={`Confirm the agent ${source}?`}
          action={() => change(confirmAgent(agent_id), "Agent confirmed")}
        >
          <p>
            It stopped when {responsible.name} left. If you confirm it, its key works again within your rights, until
            you leave or an owner revokes it.
          </p>
        </ConfirmButton>
      ) : null}
      <ConfirmButton
        label="Revoke"
        of={source}
        title={`Revoke the agent ${source}?`}
        action={() => change(revokeAgent(agent_id), "Agent revoked")}
      >
        <p>Its key will be rejected. Its incidents stay with the organization. This can't be undone.</p>
      </ConfirmButton>
    </>
  );
}
