import { Menu } from "@base-ui/react/menu";
import type { JSX, ReactNode, RefObject } from "react";
import styles from "./menu.module.css";

interface MenuPopupProps {
  /** What it opens next to, where that isn't the menu's own button. */
  readonly anchor?: RefObject<HTMLElement | null>;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** What a menu opens: within the page's content, so that its items are part of a landmark. */
export function MenuPopup({ anchor, className = "", children }: MenuPopupProps): JSX.Element {
  return (
    <Menu.Portal container={document.getElementById("content")}>
      <Menu.Positioner className={styles.positioner} sideOffset={6} align="end" {...(anchor ? { anchor } : {})}>
        <Menu.Popup className={`${styles.popup} ${className}`}>{children}</Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  );
}
