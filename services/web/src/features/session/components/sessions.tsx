import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { revokeSession, type SignedInBrowser, sessionsQuery } from "../api/sessions.ts";
import { browserName } from "../browser-name.ts";

/** The person's sessions. All but the current one can be ended. */
export function Sessions(): JSX.Element {
  const sessions = useQuery(sessionsQuery);
  const { error } = sessions;
  const isOld = error instanceof ApiError && error.code === "SESSION_NOT_FRESH";
  return (
    <Panel title="Where you are signed in">
      {isOld ? (
        <p>You signed in more than a day ago. Sign in again to see and end your sessions.</p>
      ) : (
        <Loaded query={sessions} lines={3}>
          {(data) => (
            <Rows none="No sessions.">
              {data.sessions
                .toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))
                .map((session) => (
                  <SessionRow key={session.id} session={session} isOwn={session.id === data.ownId} />
                ))}
            </Rows>
          )}
        </Loaded>
      )}
    </Panel>
  );
}

function SessionRow({ session, isOwn }: { readonly session: SignedInBrowser; readonly isOwn: boolean }): JSX.Element {
  const queryClient = useQueryClient();
  const name = browserName(session.userAgent ?? "");
  return (
    <Row
      title={
        <>
          {name}
          {isOwn ? <Badge tone="good">this browser</Badge> : null}
        </>
      }
      facts={[
        session.ipAddress,
        <>
          signed in <TimeAgo at={session.createdAt} />
        </>,
      ]}
      actions={
        isOwn ? null : (
          <ConfirmButton
            label="Sign out"
            of={name}
            title="Sign this browser out?"
            action={async () => {
              await revokeSession(session.token);
              await queryClient.invalidateQueries(sessionsQuery);
            }}
          >
            <p>
              {name}, signed in <TimeAgo at={session.createdAt} />, will have to sign in again.
            </p>
          </ConfirmButton>
        )
      }
    />
  );
}
