import { Menu } from "@base-ui/react/menu";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type BulkChange, bulkChangeLimits, type IncidentSummary } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import menu from "../../../components/menu.module.css";
import { MenuPopup } from "../../../components/menu-popup.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { useKeys } from "../../../lib/use-keys.ts";
import { changeIncidents } from "../api/change-incidents.ts";
import { countedEnds, timeEnds } from "../head/mute-ends.ts";
import styles from "./bulk-actions.module.css";
import { bulkOutcome } from "./bulk-outcome.ts";
import { MergeMenu } from "./merge-menu.tsx";

interface BulkActionsProps {
  /** In the order of the list. */
  readonly incidents: readonly IncidentSummary[];
  readonly clear: () => void;
}

/** What can be done with the selected incidents: `e` resolves, `m` opens the menu of mutes, `t` takes, Escape clears. */
export default function BulkActions({ incidents, clear }: BulkActionsProps): JSX.Element {
  const ids = incidents.map(({ id }) => id);
  const queryClient = useQueryClient();
  const [isMuting, setMuting] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (change: BulkChange["change"]) => changeIncidents({ ids: [...ids], change }),
    onSuccess: (result, { action }) => {
      toasts.add(bulkOutcome(action, result));
      clear();
      void queryClient.invalidateQueries({ queryKey: ["incidents"] });
      void queryClient.invalidateQueries({ queryKey: ["incident"] });
    },
    onError: (error) => toasts.add({ title: "The incidents didn't change", description: error.message }),
  });
  const act = (change: BulkChange["change"]): void => {
    if (!isPending) mutate(change);
  };
  const resolve = (): void => act({ action: "resolve", in: "now" });
  useKeys({ e: resolve, m: () => setMuting(true), t: () => act({ action: "take" }), Escape: clear });
  return (
    <section className={styles.bar} aria-label="Selected incidents">
      <p role="status">
        {ids.length} selected{ids.length >= bulkChangeLimits.incidentsPerChangeMax ? ", the most at once" : ""}
      </p>
      <Button look="main" icon="check" busy={isPending} onClick={resolve}>
        Resolve
      </Button>
      <Menu.Root open={isMuting} onOpenChange={setMuting}>
        <Menu.Trigger render={<Button icon="clock">Mute</Button>} disabled={isPending} />
        <MenuPopup>
          {[...timeEnds, ...countedEnds].map(([label, end]) => (
            <Menu.Item
              key={label}
              className={menu.item}
              onClick={() => act({ action: "mute", until: end(Date.now()) })}
            >
              {label}
            </Menu.Item>
          ))}
        </MenuPopup>
      </Menu.Root>
      <Button icon="user" busy={isPending} onClick={() => act({ action: "take" })}>
        Take
      </Button>
      {incidents.length > 1 ? <MergeMenu incidents={incidents} clear={clear} /> : null}
      <Button look="quiet" icon="close" onClick={clear}>
        Clear selection
      </Button>
    </section>
  );
}
