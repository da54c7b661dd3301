import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { changeRole, type Member, membersQuery, type Role, removeMember } from "../api/members.ts";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { Invitations } from "./invitations.tsx";
import { SettingsPage } from "./settings-page.tsx";

/** Who belongs to the organization, and who was invited to. */
export function MembersPage(): JSX.Element {
  const { isOwner, organizationId, organizationName } = useViewer();
  const members = useQuery(membersQuery(organizationId));
  return (
    <SettingsPage
      title="Members"
      lead={`Everybody in ${organizationName} sees its incidents. Owners change what it is and who belongs to it.`}
      owners="invite and remove people"
    >
      {isOwner ? <Invitations /> : null}
      <Panel title="Members">
        <Loaded query={members} lines={4}>
          {(data) => {
            const owners = data.members.filter(({ role }) => role === "owner").length;
            return (
              <Rows none="Nobody.">
                {data.members.map((member) => (
                  <MemberRow key={member.id} member={member} isLastOwner={member.role === "owner" && owners === 1} />
                ))}
              </Rows>
            );
          }}
        </Loaded>
      </Panel>
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
        isOwner && isLastOwner ? "the only owner: to leave or to step back, make another one first" : null,
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
        action={() => change(changeRole(organizationId, member.id, other), `${user.name} is ${other} now`)}
      >
        <p>
          {other === "owner"
            ? "Owners make keys, connect third parties, and decide who belongs to the organization."
            : `${isSelf ? "You" : user.name} will see what the organization has, and change nothing of it.`}
        </p>
      </ConfirmButton>
      {isSelf ? null : (
        <ConfirmButton
          label="Remove"
          of={user.name}
          title={`Remove ${user.name}?`}
          action={() => change(removeMember(organizationId, member.id), `${user.name} is removed`)}
        >
          <p>
            {user.name} sees nothing of {organizationName} any more, from that moment. Keys stay as they are.
          </p>
        </ConfirmButton>
      )}
    </>
  );
}
