import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type Incident, reportMarkdown } from "@whence/protocol";
import { type JSX, lazy, Suspense, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { PageTitle } from "../../../components/page-title.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { paths } from "../../../config/paths.ts";
import { useCommands } from "../../../lib/use-commands.ts";
import { deleteIncident, rerunIncident } from "../api/change-incident.ts";
import { incidentQuery } from "../api/get-incident.ts";
import type { IncidentViewer } from "../incident-viewer.ts";
import styles from "./incident-head.module.css";
import { LifecycleActions } from "./lifecycle-actions.tsx";
import { LifecycleBadge } from "./lifecycle-state.tsx";
import { OwnerActions } from "./owner-actions.tsx";
import { PulseLine } from "./pulse.tsx";
import { SeverityBadge, StatusBadge } from "./severity.tsx";

const ShareDialog = lazy(() => import("./share-dialog.tsx"));

interface IncidentHeadProps {
  readonly incident: Incident;
  readonly viewer: IncidentViewer;
}

/** What failed, the state of its investigation, and the report's actions. */
export function IncidentHead({ incident, viewer }: IncidentHeadProps): JSX.Element {
  const { id, title, severity, status, service, env, owner, acknowledged } = incident;
  const [isSharing, setSharing] = useState(false);
  const queryClient = useQueryClient();
  const rerun = useMutation({
    mutationFn: () => rerunIncident(id),
    onSuccess: (queued) => queryClient.setQueryData(incidentQuery(id).queryKey, queued),
    onError: (error) => toasts.add({ title: "The investigation didn't start", description: error.message }),
  });
  const copy = (): void => {
    navigator.clipboard.writeText(reportMarkdown(incident)).then(
      () => toasts.add({ title: "Report copied as Markdown" }),
      () => toasts.add({ title: "Report not copied", description: "The browser blocked it." }),
    );
  };
  useCommands(
    incident.report
      ? [
          { key: "y", label: "Copy the report as Markdown", icon: "copy", run: copy },
          { key: "s", label: "Share this incident…", icon: "external", run: () => setSharing(true) },
        ]
      : [],
  );
  const hasEnded = status === "completed" || status === "failed";
  return (
    <header className={styles.head}>
      <Link to={paths.incidents} className={styles.back}>
        <Icon name="back" size={14} />
        Incidents
      </Link>
      <div className={styles.row}>
        <div className={styles.titles}>
          <PageTitle title={title} />
          <p className={styles.meta}>
            <SeverityBadge severity={severity} />
            <LifecycleBadge lifecycle={incident.lifecycle} />
            <StatusBadge status={status} category={incident.report?.root_cause.category} />
            <Place service={service} env={env} />
            <PulseLine incident={incident} />
            <span>
              {owner === null ? "No owner" : `Owner: ${owner.name}`}
              {owner !== null && acknowledged === null ? ", not acknowledged" : ""}
            </span>
          </p>
        </div>
        <div className={styles.actions}>
          <LifecycleActions incident={incident} />
          <OwnerActions incident={incident} viewer={viewer} />
          <Button icon="copy" onClick={copy} disabled={!incident.report}>
            Copy report
          </Button>
          <Button onClick={() => setSharing(true)} disabled={!incident.report}>
            Share
          </Button>
          <Button icon="again" onClick={() => rerun.mutate()} disabled={!hasEnded} busy={rerun.isPending}>
            Run again
          </Button>
          <DeleteIncident id={id} />
        </div>
      </div>
      <Suspense>{isSharing ? <ShareDialog incident={incident} onClose={() => setSharing(false)} /> : null}</Suspense>
    </header>
  );
}

function DeleteIncident({ id }: { readonly id: string }): JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await deleteIncident(id);
    await navigate({ to: paths.incidents });
    queryClient.removeQueries(incidentQuery(id));
    await queryClient.resetQueries({ queryKey: ["incidents"] });
    toasts.add({ title: "Incident deleted" });
  };
  return (
    <ConfirmButton label="Delete" of="this incident" title="Delete this incident?" action={remove}>
      <p>
        Its report, its evidence, and the text and files it started from will be deleted. If the failure continues, it
        opens a new incident. This can't be undone.
      </p>
    </ConfirmButton>
  );
}

/** The service, with a link to its page, and the environment. */
function Place({ service, env }: Pick<Incident, "service" | "env">): JSX.Element | null {
  if (service === null) return env === null ? null : <span>{env}</span>;
  return (
    <span>
      <Link to={paths.service} params={{ service }} search={{ env: env ?? undefined }}>
        {service}
      </Link>
      {env === null ? null : ` · ${env}`}
    </span>
  );
}
