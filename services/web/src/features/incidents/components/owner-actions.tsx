import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import type { Incident, OwnerAction } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import menu from "../../../components/menu.module.css";
import { useCommands } from "../../../lib/use-commands.ts";
import { changeOwner } from "../api/change-incident.ts";
import { teammatesQuery } from "../api/get-members.ts";
import { onCall } from "../elsewhere.ts";
import { useChange } from "../use-change.ts";
import styles from "./owner-actions.module.css";

const done: Readonly<Record<OwnerAction, string>> = {
  take: "You own this incident",
  "hand-over": "Incident handed over",
  "let-go": "Incident let go",
  acknowledge: "Incident acknowledged",
};

/** The person who views an incident, and the organization that they act for. */
export interface IncidentViewer {
  readonly userId: string;
  readonly organizationId: string | null;
}

interface OwnerActionsProps {
  readonly incident: Incident;
  readonly viewer: IncidentViewer;
}

/** Who takes care of an incident, as buttons and keys: `t` takes it, `a` acknowledges it, `h` opens the menu of members. */
export function OwnerActions({ incident, viewer }: OwnerActionsProps): JSX.Element | null {
  const { id, owner, acknowledged, merged_into: mergedInto } = incident;
  const [isChoosing, setChoosing] = useState(false);
  const { mutate, isPending } = useChange(id, { send: changeOwner, said: ({ action }) => done[action] });
  const isMine = owner?.id === viewer.userId;
  const isOpen = mergedInto === undefined;
  const take = (): void => mutate({ action: "take" });
  const acknowledge = (): void => mutate({ action: "acknowledge" });
  useCommands([
    ...(isOpen && !isMine ? [{ key: "t", label: "Take this incident", icon: "user", run: take } as const] : []),
    ...(isOpen && acknowledged === null
      ? [{ key: "a", label: "Acknowledge this incident", icon: "check", run: acknowledge } as const]
      : []),
    ...(isOpen
      ? [{ key: "h", label: "Hand over this incident…", icon: "user", run: () => setChoosing(true) } as const]
      : []),
  ]);
  if (!isOpen) return null;
  return (
    <>
      {isMine ? null : (
        <Button icon="user" busy={isPending} onClick={take}>
          Take
        </Button>
      )}
      {owner !== null && acknowledged === null ? (
        <Button icon="check" busy={isPending} onClick={acknowledge}>
          Acknowledge
        </Button>
      ) : null}
      <Menu.Root open={isChoosing} onOpenChange={setChoosing}>
        <Menu.Trigger render={<Button icon="chevron">Hand over</Button>} disabled={isPending} />
        <Menu.Portal>
          <Menu.Positioner className={menu.positioner} sideOffset={6} align="end">
            <Menu.Popup className={`${menu.popup} ${styles.members}`}>
              <Members
                viewer={viewer}
                ownerId={owner?.id}
                onCallIds={onCall(incident.report?.evidence ?? []).map(({ memberId }) => memberId)}
                choose={(member) => mutate({ action: "hand-over", to: member })}
              />
              {owner === null && acknowledged !== null ? null : <div className={menu.separator} />}
              {owner === null ? null : (
                <Menu.Item className={menu.item} onClick={() => mutate({ action: "let-go" })}>
                  Let go
                </Menu.Item>
              )}
              {owner === null && acknowledged === null ? (
                <Menu.Item className={menu.item} onClick={acknowledge}>
                  Acknowledge
                </Menu.Item>
              ) : null}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </>
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
