import type { Incident } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { useCommands } from "../../../lib/use-commands.ts";
import type { IncidentViewer } from "../incident-viewer.ts";
import { useOwnerChange } from "./use-owner-change.ts";

interface OwnerActionsProps {
  readonly incident: Incident;
  readonly viewer: IncidentViewer;
}

/** The next thing for the reader to do as its owner: `t` takes the incident, `a` acknowledges it. */
export function OwnerActions({ incident, viewer }: OwnerActionsProps): JSX.Element | null {
  const { id, owner, acknowledged, merged_into: mergedInto } = incident;
  const { mutate, isPending } = useOwnerChange(id);
  const isOpen = mergedInto === undefined;
  const isTaken = owner?.id === viewer.userId;
  const take = (): void => mutate({ action: "take" });
  const acknowledge = (): void => mutate({ action: "acknowledge" });
  useCommands([
    ...(isOpen && !isTaken ? [{ key: "t", label: "Take this incident", icon: "user", run: take } as const] : []),
    ...(isOpen && acknowledged === null
      ? [{ key: "a", label: "Acknowledge this incident", icon: "check", run: acknowledge } as const]
      : []),
  ]);
  if (!isOpen || (isTaken && acknowledged !== null)) return null;
  return isTaken ? (
    <Button icon="check" busy={isPending} onClick={acknowledge}>
      Acknowledge
    </Button>
  ) : (
    <Button icon="user" busy={isPending} onClick={take}>
      Take
    </Button>
  );
}
