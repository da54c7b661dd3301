import { Menu } from "@base-ui/react/menu";
import type { LifecycleChange } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import type { MenuState } from "../../../components/lazy-menu.tsx";
import menu from "../../../components/menu.module.css";
import { MenuPopup } from "../../../components/menu-popup.tsx";
import { countedEnds, timeEnds } from "./mute-ends.ts";

interface MuteMenuProps extends MenuState {
  /** Whether its failure's events are counted, so that they can end a mute. */
  readonly isCounted: boolean;
  readonly canIgnore: boolean;
  readonly isPending: boolean;
  change(change: LifecycleChange): void;
}

/** For how long an incident is muted, and what else keeps it quiet. */
export default function MuteMenu(props: MuteMenuProps): JSX.Element {
  const { isCounted, canIgnore, isPending, change, ...state } = props;
  return (
    <Menu.Root {...state}>
      <Menu.Trigger render={<Button icon="clock">Mute</Button>} disabled={isPending} />
      <MenuPopup>
        {(isCounted ? [...timeEnds, ...countedEnds] : timeEnds).map(([label, end]) => (
          <Menu.Item
            key={label}
            className={menu.item}
            onClick={() => change({ action: "mute", until: end(Date.now()) })}
          >
            {label}
          </Menu.Item>
        ))}
        <div className={menu.separator} />
        {isCounted ? (
          <Menu.Item className={menu.item} onClick={() => change({ action: "resolve", in: "next-release" })}>
            Resolve in the next release
          </Menu.Item>
        ) : null}
        {canIgnore ? (
          <Menu.Item className={menu.item} onClick={() => change({ action: "ignore" })}>
            Ignore
          </Menu.Item>
        ) : null}
      </MenuPopup>
    </Menu.Root>
  );
}
