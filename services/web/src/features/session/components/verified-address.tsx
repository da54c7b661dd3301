import { useMutation } from "@tanstack/react-query";
import type { Session } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Problem } from "../../../components/problem.tsx";
import { sendVerification } from "../api/verification.ts";

/** Asks a person whose address isn't verified to do so; nothing for others. */
export function VerifiedAddress({ user }: { readonly user: Session["user"] }): JSX.Element | null {
  const sending = useMutation({ mutationFn: () => sendVerification(user.email) });
  if (user.email_verified) return null;
  return (
    <Panel
      title="Email address"
      note="Not verified yet. Mentions are only emailed to a verified address, and only a verified address can be used with a sign-in provider."
    >
      {sending.isSuccess ? (
        <p role="status">
          We sent a link to {user.email}. Open it within a day. Without a mail server, the link is in the service's log.
        </p>
      ) : (
        <div>
          {sending.error ? <Problem error={sending.error} /> : null}
          <Button busy={sending.isPending} onClick={() => sending.mutate()}>
            Send verification link
          </Button>
        </div>
      )}
    </Panel>
  );
}
