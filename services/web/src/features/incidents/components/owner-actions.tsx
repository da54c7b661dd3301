import type { Incident, OwnerAction } from "@whence/protocol";
import { type JSX, lazy, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { LazyMenu } from "../../../components/lazy-menu.tsx";
import { MenuButton } from "../../../components/menu-button.tsx";
import { useCommands } from "../../../lib/use-commands.ts";
import { changeOwner } from "../api/change-incident.ts";
import type { IncidentViewer } from "../incident-viewer.ts";
import { useChange } from "../use-change.ts";

const HandOverMenu = lazy(() => import("./hand-over-menu.tsx"));

const done: Readonly<Record<OwnerAction, string>> = {
  take: "You own this incident",
  "hand-over": "Incident handed over",
  "let-go": "Incident let go",
  acknowledge: "Incident acknowledged",
};

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
      <LazyMenu
        menu={HandOverMenu}
        button={<MenuButton icon="chevron" label="Hand over" busy={isPending} onClick={() => setChoosing(true)} />}
        state={{ open: isChoosing, onOpenChange: setChoosing }}
        of={{ incident, viewer, isPending, change: mutate }}
      />
    </>
  );
}
