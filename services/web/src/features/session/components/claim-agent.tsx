import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AgentRequest, Session } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { askingAgent, claimAgent } from "../api/account.ts";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";

/** The confirmation before an agent joins the signed-in person's organization. */
export function ClaimAgent({ token, session }: { readonly token: string; readonly session: Session }): JSX.Element {
  const asking = useQuery({ queryKey: ["session", "asking", token], queryFn: () => askingAgent(token) });
  const claiming = useMutation({ mutationFn: () => claimAgent(token) });
  const organization = session.organization?.name ?? "your organization";
  if (claiming.data) {
    return (
      <Entrance title="Agent claimed">
        <p>
          Agent <code>{claiming.data.agent_id}</code> now belongs to <strong>{organization}</strong>. Its key keeps
          working and no longer expires, and its incidents are with yours.
        </p>
        <Link to={paths.incidents}>Back to incidents</Link>
      </Entrance>
    );
  }
  return (
    <Entrance title="Claim an agent">
      {asking.data ? <Asking agent={asking.data} /> : null}
      <p>
        If you claim it, it can start analyses and read what <strong>{organization}</strong> has stored, within your own
        rights. It stops when you leave {organization}, until an owner confirms it. Claim it only if you started it.
      </p>
      <p className={styles.soft}>You are signed in as {session.user.email}.</p>
      {(asking.error ?? claiming.error) ? <Problem error={asking.error ?? claiming.error} /> : null}
      <Button look="main" busy={claiming.isPending} disabled={!asking.data} onClick={() => claiming.mutate()}>
        Claim agent
      </Button>
      <Link to={paths.incidents} className={styles.soft}>
        Not now
      </Link>
    </Entrance>
  );
}

/** Describes the agent, so that the reader can tell whether they started it. */
function Asking({ agent }: { readonly agent: AgentRequest }): JSX.Element {
  const { agent_id, source, created_at, registered_from } = agent;
  return (
    <p>
      <strong>{source}</strong> (<code>{agent_id}</code>) registered <TimeAgo at={created_at} />
      {registered_from === null ? null : (
        <>
          {" "}
          from <code>{registered_from}</code>
        </>
      )}
      .
    </p>
  );
}
