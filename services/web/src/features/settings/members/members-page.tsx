import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { changeRole, type Member, membersQuery, type Role, removeMember } from "../api/members.ts";
import { SettingsPage } from "../components/settings-page.tsx";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { Invitations } from "./invitations.tsx";
import { SigningIn } from "./signing-in.tsx";

/** The members of the organization, and pending invitations. */
export function MembersPage(): JSX.Element {
  const { isOwner, organizationId, organizationName } = useViewer();
  const members = useQuery(membersQuery(organizationId));
  return (
    <SettingsPage
      title="Members"
      lead={`Everyone in ${organizationName} can see its incidents. Owners manage its settings and members.`}
      owners="can invite and remove people"
    >
      {isOwner ? <Invitations /> : null}
      <Panel title="Members">
        <Loaded query={members} lines={4}>
          {(data) => {
            const owners = data.members.filter(({ role }) => role === "owner").length;
            return (
              <Rows none="No members.">
                {data.members.map((member) => (
                  <MemberRow key={member.id} member={member} isLastOwner={member.role === "owner" && owners === 1} />
                ))}
              </Rows>
            );
          }}
        </Loaded>
      </Panel>
      {isOwner ? <SigningIn /> : null}
    </SettingsPage>
  );
}

function MemberRow({ member, isLastOwner }: { readonly member: Member; readonly isLastOwner: boolean }): JSX.Element {
  const { isOwner, userId } = useViewer();
  const { user, role, createdAt } = member;
  return (
    <Row
      title={
        <>
          {user.name}
          <Badge tone={role === "owner" ? "good" : "low"}>{role}</Badge>
        </>
      }
      facts={[
        user.email,
        member.userId === userId ? "you" : null,
        <>
          joined <TimeAgo at={createdAt} />
        </>,
        isOwner && isLastOwner ? "the only owner; to leave or become a member, make someone else an owner first" : null,
      ]}
      actions={isOwner && !isLastOwner ? <MemberActions member={member} /> : null}
    />
  );
}

function MemberActions({ member }: { readonly member: Member }): JSX.Element {
  const { organizationId, userId, organizationName } = useViewer();
  const change = useChange();
  const { user, role } = member;
  const other: Role = role === "owner" ? "member" : "owner";
  const isSelf = member.userId === userId;
  return (
    <>
      <ConfirmButton
        label={other === "owner" ? "Make owner" : "Make member"}
        of={user.name}
        title={`Make ${user.name} ${other === "owner" ? "an owner" : "a member"}?`}
        action={() =>
          change(
            changeRole(organizationId, member.id, other),
            `${user.name} is now ${other === "owner" ? "an owner" : "a member"}`,
          )
        }
      >
        <p>
          {other === "owner"
            ? "Owners can create keys, connect integrations, and manage members."
            : `${isSelf ? "You" : user.name} will be able to see the organization's data, but not change it.`}
        </p>
      </ConfirmButton>
      {isSelf ? null : (
        <ConfirmButton
          label="Remove"
          of={user.name}
          title={`Remove ${user.name}?`}
          action={() => change(removeMember(organizationId, member.id), `${user.name} removed`)}
        >
          <p>
            {user.name} will lose access to {organizationName} at once. API keys keep working.
          </p>
        </ConfirmButton>
      )}
    </>
  );
}
