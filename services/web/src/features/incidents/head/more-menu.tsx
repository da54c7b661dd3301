import { Menu } from "@base-ui/react/menu";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { Icon, type IconName } from "../../../components/icon.tsx";
import type { MenuState } from "../../../components/lazy-menu.tsx";
import menu from "../../../components/menu.module.css";
import { MenuPopup } from "../../../components/menu-popup.tsx";

type Action = (() => void) | null;

/** What can be done now; null for what can't. */
interface MoreMenuProps extends MenuState {
  readonly acknowledge: Action;
  readonly handOver: Action;
  readonly copy: Action;
  readonly rerun: Action;
  readonly remove: () => void;
}

/** What is seldom done with an incident. */
export default function MoreMenu(props: MoreMenuProps): JSX.Element {
  const { acknowledge, handOver, copy, rerun, remove, ...state } = props;
  return (
    <Menu.Root {...state}>
      <Menu.Trigger render={<Button>More</Button>} />
      <MenuPopup>
        {acknowledge ? <Item icon="check" label="Acknowledge" action={acknowledge} /> : null}
        {handOver ? <Item icon="user" label="Hand over…" action={handOver} /> : null}
        <Item icon="copy" label="Copy report" action={copy} />
        <Item icon="again" label="Run again" action={rerun} />
        <div className={menu.separator} />
        <Item icon="close" label="Delete…" action={remove} />
      </MenuPopup>
    </Menu.Root>
  );
}

interface ItemProps {
  readonly icon: IconName;
  readonly label: string;
  readonly action: Action;
}

function Item({ icon, label, action }: ItemProps): JSX.Element {
  return (
    <Menu.Item className={menu.item} disabled={action === null} onClick={() => action?.()}>
      <Icon name={icon} />
      {label}
    </Menu.Item>
  );
}
