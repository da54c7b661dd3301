import { Menu } from "@base-ui/react/menu";
import type { IncidentSummary } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import menu from "../../../components/menu.module.css";
import { MenuPopup } from "../../../components/menu-popup.tsx";
import { useMerge } from "../use-merge.ts";
import styles from "./merge-menu.module.css";

interface MergeMenuProps {
  readonly incidents: readonly IncidentSummary[];
  readonly clear: () => void;
}

/** Merges the selected incidents into the one that is chosen, which keeps its report. */
export function MergeMenu({ incidents, clear }: MergeMenuProps): JSX.Element {
  const { merge, isPending } = useMerge(clear);
  return (
    <Menu.Root>
      <Menu.Trigger render={<Button icon="chevron">Merge into…</Button>} disabled={isPending} />
      <MenuPopup className={styles.incidents}>
        {incidents.map(({ id, title, service }) => (
          <Menu.Item key={id} className={menu.item} onClick={() => merge(id, incidents)} title={title}>
            <span className={styles.title}>{service === null ? title : `${service}: ${title}`}</span>
          </Menu.Item>
        ))}
      </MenuPopup>
    </Menu.Root>
  );
}
