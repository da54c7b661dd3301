import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import type { Incident, OwnerChange } from "@whence/protocol";
import type { JSX, RefObject } from "react";
import type { MenuState } from "../../../components/lazy-menu.tsx";
import menu from "../../../components/menu.module.css";
import { MenuPopup } from "../../../components/menu-popup.tsx";
import { teammatesQuery } from "../api/get-members.ts";
import type { IncidentViewer } from "../incident-viewer.ts";
import styles from "./hand-over-menu.module.css";
import { onCall } from "./outside-pages.ts";

interface HandOverMenuProps extends MenuState {
  /** The button that it opens next to. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly incident: Incident;
  readonly viewer: IncidentViewer;
  change(change: OwnerChange): void;
}

/** Whom an incident is handed over to. */
export default function HandOverMenu(props: HandOverMenuProps): JSX.Element {
  const { incident, viewer, anchor, change, ...state } = props;
  const { owner } = incident;
  return (
    <Menu.Root {...state}>
      <MenuPopup anchor={anchor} className={styles.members}>
        <Members
          viewer={viewer}
          ownerId={owner?.id}
          onCallIds={onCall(incident.report?.evidence ?? []).map(({ memberId }) => memberId)}
          choose={(member) => change({ action: "hand-over", to: member })}
        />
        {owner === null ? null : (
          <>
            <div className={menu.separator} />
            <Menu.Item className={menu.item} onClick={() => change({ action: "let-go" })}>
              Let go
            </Menu.Item>
          </>
        )}
      </MenuPopup>
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
