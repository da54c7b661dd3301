import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Incident, reportMarkdown } from "@whence/protocol";
import { type JSX, Suspense, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { LazyMenu } from "../../../components/lazy-menu.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { useCommands } from "../../../lib/use-commands.ts";
import { rerunIncident } from "../api/change-incident.ts";
import { incidentQuery } from "../api/get-incident.ts";
import type { IncidentViewer } from "../incident-viewer.ts";
import styles from "./more-actions.module.css";
import { useOwnerChange } from "./use-owner-change.ts";

const MoreMenu = lazyPart(() => import("./more-menu.tsx"));
const HandOverMenu = lazyPart(() => import("../elsewhere/hand-over-menu.tsx"));
const DeleteIncident = lazyPart(() => import("./delete-incident.tsx"));

interface MoreActionsProps {
  readonly incident: Incident;
  readonly viewer: IncidentViewer;
}

/** What is seldom done with an incident, in one menu: `h` opens the members to hand it over to, `y` copies the report. */
export function MoreActions({ incident, viewer }: MoreActionsProps): JSX.Element {
  const { id, status, merged_into: mergedInto } = incident;
  const [open, setOpen] = useState<"menu" | "members" | "deletion" | null>(null);
  const anchor = useRef<HTMLSpanElement>(null);
  const queryClient = useQueryClient();
  const owner = useOwnerChange(id);
  const rerun = useMutation({
    mutationFn: () => rerunIncident(id),
    onSuccess: (queued) => queryClient.setQueryData(incidentQuery(id).queryKey, queued),
    onError: (error) => toasts.add({ title: "The investigation didn't start", description: error.message }),
  });
  const copy = (): void => void copyReport(incident);
  const handOver = (): void => setOpen("members");
  useCommands([
    ...(incident.report ? [{ key: "y", label: "Copy the report as Markdown", icon: "copy", run: copy } as const] : []),
    ...(mergedInto === undefined
      ? [{ key: "h", label: "Hand over this incident…", icon: "user", run: handOver } as const]
      : []),
  ]);
  const menu = {
    acknowledge:
      mergedInto === undefined && incident.acknowledged === null ? () => owner.mutate({ action: "acknowledge" }) : null,
    handOver: mergedInto === undefined ? handOver : null,
    copy: incident.report ? copy : null,
    rerun: status === "completed" || status === "failed" ? () => rerun.mutate() : null,
    remove: () => setOpen("deletion"),
  };
  const closing = (part: typeof open) => (isOpen: boolean) =>
    setOpen((now) => (isOpen ? part : now === part ? null : now));
  return (
    <span ref={anchor} className={styles.more}>
      <LazyMenu
        menu={MoreMenu}
        button={
          <Button aria-haspopup="menu" aria-expanded={false} onClick={() => setOpen("menu")}>
            More
          </Button>
        }
        state={{ open: open === "menu", onOpenChange: closing("menu") }}
        of={menu}
      />
      <Suspense>
        {open === "members" ? (
          <HandOverMenu
            open
            onOpenChange={closing("members")}
            anchor={anchor}
            incident={incident}
            viewer={viewer}
            change={owner.mutate}
          />
        ) : null}
        {open === "deletion" ? <DeleteIncident id={id} onClose={() => setOpen(null)} /> : null}
      </Suspense>
    </span>
  );
}

async function copyReport(incident: Incident): Promise<void> {
  try {
    await navigator.clipboard.writeText(reportMarkdown(incident));
    toasts.add({ title: "Report copied as Markdown" });
  } catch {
    toasts.add({ title: "Report not copied", description: "The browser blocked it." });
  }
}
