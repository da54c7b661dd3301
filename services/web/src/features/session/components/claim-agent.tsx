import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Session } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { paths } from "../../../config/paths.ts";
import { claimAgent } from "../api/account.ts";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";

/** What somebody who is signed in confirms before an agent joins their organization. */
export function ClaimAgent({ token, session }: { readonly token: string; readonly session: Session }): JSX.Element {
  const claiming = useMutation({ mutationFn: () => claimAgent(token) });
  const organization = session.organization?.name ?? "your organization";
  if (claiming.data) {
    return (
      <Entrance title="The agent is yours">
        <p>
          Agent <code>{claiming.data.agent_id}</code> belongs to <strong>{organization}</strong> now. Its key works on,
          it does not expire any more, and its incidents are with yours.
        </p>
        <Link to={paths.incidents}>Back to incidents</Link>
      </Entrance>
    );
  }
  return (
    <Entrance title="Claim an agent">
      <p>
        An agent asks to join <strong>{organization}</strong>. It may then use what the organization has connected, and
        read its incidents.
      </p>
      <p className={styles.soft}>You are signed in as {session.user.email}.</p>
      {claiming.error ? <Problem error={claiming.error} /> : null}
      <Button look="main" busy={claiming.isPending} onClick={() => claiming.mutate()}>
        Claim the agent
      </Button>
      <Link to={paths.incidents} className={styles.soft}>
        Not now
      </Link>
    </Entrance>
  );
}
