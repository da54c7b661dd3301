import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import type { Incident, OwnerChange } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import type { MenuState } from "../../../components/lazy-menu.tsx";
import menu from "../../../components/menu.module.css";
import { teammatesQuery } from "../api/get-members.ts";
import { onCall } from "../elsewhere.ts";
import type { IncidentViewer } from "../incident-viewer.ts";
import styles from "./owner-actions.module.css";

interface HandOverMenuProps extends MenuState {
  readonly incident: Incident;
  readonly viewer: IncidentViewer;
  readonly isPending: boolean;
  change(change: OwnerChange): void;
}

/** Whom an incident is handed over to, and what else its owner does with it. */
export default function HandOverMenu({
  incident,
  viewer,
  isPending,
  change,
  ...state
}: HandOverMenuProps): JSX.Element {
  const { owner, acknowledged } = incident;
  return (
    <Menu.Root {...state}>
      <Menu.Trigger render={<Button icon="chevron">Hand over</Button>} disabled={isPending} />
      <Menu.Portal>
        <Menu.Positioner className={menu.positioner} sideOffset={6} align="end">
          <Menu.Popup className={`${menu.popup} ${styles.members}`}>
            <Members
              viewer={viewer}
              ownerId={owner?.id}
              onCallIds={onCall(incident.report?.evidence ?? []).map(({ memberId }) => memberId)}
              choose={(member) => change({ action: "hand-over", to: member })}
            />
            {owner === null && acknowledged !== null ? null : <div className={menu.separator} />}
            {owner === null ? null : (
              <Menu.Item className={menu.item} onClick={() => change({ action: "let-go" })}>
                Let go
              </Menu.Item>
            )}
            {owner === null && acknowledged === null ? (
              <Menu.Item className={menu.item} onClick={() => change({ action: "acknowledge" })}>
                Acknowledge
              </Menu.Item>
            ) : null}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface MembersProps {
  readonly viewer: IncidentViewer;
  readonly ownerId: string | undefined;
  readonly onCallIds: readonly (string | null)[];
  choose(memberId: string): void;
}

/** The members who can get it: all but the one who has it, who is on call first. */
function Members({ viewer, ownerId, onCallIds, choose }: MembersProps): JSX.Element {
  const { userId, organizationId } = viewer;
  const { data: members = [] } = useQuery({
    ...teammatesQuery(organizationId ?? ""),
    enabled: organizationId !== null,
  });
  return (
    <>
      {members
        .filter(({ id }) => id !== ownerId)
        .toSorted((a, b) => Number(onCallIds.includes(b.id)) - Number(onCallIds.includes(a.id)))
        .map(({ id, name, email }) => (
          <Menu.Item key={id} className={menu.item} onClick={() => choose(id)} title={email}>
            {id === userId ? `${name} (you)` : name}
            {onCallIds.includes(id) ? ", on call" : null}
          </Menu.Item>
        ))}
    </>
  );
}
