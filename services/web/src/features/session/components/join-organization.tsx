import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Session } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { paths } from "../../../config/paths.ts";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";
import { type Intent, useEntering } from "./use-entering.ts";

/** The confirmation before a signed-in person joins the organization that invited them. */
export function JoinOrganization({
  intent,
  session,
}: {
  readonly intent: Intent;
  readonly session: Session;
}): JSX.Element {
  const joining = useMutation({ mutationFn: useEntering(intent) });
  return (
    <Entrance title="Accept an invitation">
      <p>An organization has invited you. Its members will see your name and email address.</p>
      <p className={styles.soft}>You are signed in as {session.user.email}.</p>
      {joining.error ? <Problem error={joining.error} /> : null}
      <Button look="main" busy={joining.isPending} onClick={() => joining.mutate()}>
        Accept invitation
      </Button>
      <Link to={paths.incidents} className={styles.soft}>
        Not now
      </Link>
    </Entrance>
  );
}
