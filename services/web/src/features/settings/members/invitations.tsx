import { useQuery } from "@tanstack/react-query";
import { minuteMs } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { Select } from "../../../components/select.tsx";
import { paths } from "../../../config/paths.ts";
import { stringifySearch } from "../../../lib/search-text.ts";
import { fullTime } from "../../../lib/times.ts";
import { useNow } from "../../../lib/use-now.ts";
import { cancelInvitation, type Invitation, invitationsQuery, invite, type Role, roles } from "../api/members.ts";
import styles from "../components/settings-page.module.css";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";

const everyMs = minuteMs;
const roleNames: Readonly<Record<Role, string>> = { owner: "Owner", member: "Member" };
const roleOptions = roles.map((value) => ({ value, name: roleNames[value] })).reverse();

/** The invitation form, and pending invitations. */
export function Invitations(): JSX.Element | null {
  const { organizationId } = useViewer();
  const { data, error } = useQuery(invitationsQuery(organizationId));
  const now = useNow(everyMs);
  const pending = data?.filter(({ status, expiresAt }) => status === "pending" && Date.parse(expiresAt) > now) ?? [];
  return (
    <>
      <Invite />
      {error ? <Problem error={error} /> : null}
      {pending.length > 0 ? (
        <Panel title="Pending invitations" note="An invitation works only for its own address.">
          <Rows none="">
            {pending.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </Rows>
        </Panel>
      ) : null}
    </>
  );
}

function Invite(): JSX.Element {
  const { organizationId } = useViewer();
  const change = useChange();
  const [made, setMade] = useState<Invitation | null>(null);
  if (made) {
    return (
      <div className={styles.notice} role="status">
        <p>
          We emailed this link to <strong>{made.email}</strong>. Without a mail server, no email is sent: pass the link
          on yourself, and only to them.
        </p>
        <CopyField label="Invitation link" value={linkOf(made)} />
        <div>
          <Button onClick={() => setMade(null)}>Done</Button>
        </div>
      </div>
    );
  }
  return (
    <Form
      action="Send invitation"
      inline
      submit={async ({ email = "", role }) => {
        const wanted = roles.find((one) => one === role) ?? "member";
        setMade(await change(invite(organizationId, email, wanted), `${email} invited`));
      }}
    >
      <Field label="Email of the person to invite" name="email" type="email" required autoComplete="off" />
      <Select label="Role" name="role" options={roleOptions} />
    </Form>
  );
}

function linkOf({ id }: Invitation): string {
  return `${window.location.origin}${paths.signUp}${stringifySearch({ invitation: id })}`;
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }): JSX.Element {
  const change = useChange();
  const { id, email, role, expiresAt } = invitation;
  return (
    <Row
      title={email}
      facts={[`as ${role ?? "member"}`, `until ${fullTime(expiresAt)}`]}
      actions={
        <ConfirmButton
          label="Cancel invitation"
          of={`to ${email}`}
          title={`Cancel the invitation to ${email}?`}
          action={() => change(cancelInvitation(id), "Invitation canceled")}
        >
          <p>The link stops working at once.</p>
        </ConfirmButton>
      }
    >
      <CopyField label={`Link for ${email}`} value={linkOf(invitation)} />
    </Row>
  );
}
