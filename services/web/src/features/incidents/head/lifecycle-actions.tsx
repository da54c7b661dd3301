import { allowedActions, type Incident, type LifecycleAction } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { LazyMenu } from "../../../components/lazy-menu.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { MenuButton } from "../../../components/menu-button.tsx";
import { useCommands } from "../../../lib/use-commands.ts";
import { changeLifecycle } from "../api/change-incident.ts";
import { useChange } from "../use-change.ts";

const MuteMenu = lazyPart(() => import("./mute-menu.tsx"));

const done: Readonly<Record<LifecycleAction, string>> = {
  resolve: "Incident resolved",
  mute: "Incident muted",
  ignore: "Incident ignored",
  reopen: "Incident reopened",
};

/** What people can decide about an incident, as buttons and keys: `e` resolves, `m` opens the menu of mutes, `r` reopens. */
export function LifecycleActions({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const { id, lifecycle, trigger, merged_into: mergedInto } = incident;
  const isCounted = trigger.kind === "event" || trigger.kind === "process-exit";
  const [isMuting, setMuting] = useState(false);
  const { mutate, isPending } = useChange(id, { send: changeLifecycle, said: ({ action }) => done[action] });
  const isAllowed = (action: LifecycleAction): boolean =>
    mergedInto === undefined && allowedActions(lifecycle.state).includes(action);
  const isResolvable = isAllowed("resolve") && lifecycle.state !== "resolved";
  const resolve = (): void => mutate({ action: "resolve", in: "now" });
  const reopen = (): void => mutate({ action: "reopen" });
  useCommands([
    ...(isResolvable ? [{ key: "e", label: "Resolve this incident", icon: "check", run: resolve } as const] : []),
    ...(isAllowed("mute")
      ? [{ key: "m", label: "Mute this incident…", icon: "clock", run: () => setMuting(true) } as const]
      : []),
    ...(isAllowed("reopen")
      ? [{ key: "r", label: "Reopen this incident", icon: "incident", run: reopen } as const]
      : []),
  ]);
  if (mergedInto !== undefined) return null;
  return (
    <>
      {isResolvable ? (
        <Button look="main" icon="check" busy={isPending} onClick={resolve}>
          Resolve
        </Button>
      ) : null}
      {isAllowed("reopen") ? (
        <Button icon="incident" busy={isPending} onClick={reopen}>
          Reopen
        </Button>
      ) : null}
      {isAllowed("mute") ? (
        <LazyMenu
          menu={MuteMenu}
          button={<MenuButton icon="clock" label="Mute" busy={isPending} onClick={() => setMuting(true)} />}
          state={{ open: isMuting, onOpenChange: setMuting }}
          of={{ isCounted, canIgnore: isAllowed("ignore"), isPending, change: mutate }}
        />
      ) : null}
    </>
  );
}
