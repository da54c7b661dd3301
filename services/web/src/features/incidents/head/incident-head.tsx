import { Link } from "@tanstack/react-router";
import type { Incident } from "@whence/protocol";
import { type JSX, Suspense, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PageTitle } from "../../../components/page-title.tsx";
import { SeverityBadge } from "../../../components/severity-badge.tsx";
import { paths } from "../../../config/paths.ts";
import { useCommands } from "../../../lib/use-commands.ts";
import { LifecycleBadge } from "../components/lifecycle-state.tsx";
import { PulseLine } from "../components/pulse.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import type { IncidentViewer } from "../incident-viewer.ts";
import styles from "./incident-head.module.css";
import { LifecycleActions } from "./lifecycle-actions.tsx";
import { MoreActions } from "./more-actions.tsx";
import { OwnerActions } from "./owner-actions.tsx";

const ShareDialog = lazyPart(() => import("./share-dialog.tsx"));

interface IncidentHeadProps {
  readonly incident: Incident;
  readonly viewer: IncidentViewer;
}

/** What failed, the state of its investigation, and the report's actions. */
export function IncidentHead({ incident, viewer }: IncidentHeadProps): JSX.Element {
  const { title, severity, status, service, env, owner, acknowledged } = incident;
  const [isSharing, setSharing] = useState(false);
  useCommands(
    incident.report ? [{ key: "s", label: "Share this incident…", icon: "external", run: () => setSharing(true) }] : [],
  );
  return (
    <header className={styles.head}>
      <Link to={paths.incidents} className={styles.back}>
        <Icon name="back" size={14} />
        Incidents
      </Link>
      <div className={styles.row}>
        <div className={styles.title}>
          <PageTitle title={title} />
        </div>
        <p className={styles.meta}>
          <SeverityBadge severity={severity} />
          <LifecycleBadge lifecycle={incident.lifecycle} />
          <StatusBadge status={status} category={incident.report?.root_cause.category} />
          <Place service={service} env={env} />
          <span>
            {owner === null ? "No owner" : `Owner: ${owner.name}`}
            {owner !== null && acknowledged === null ? ", not acknowledged" : ""}
          </span>
          <PulseLine incident={incident} />
        </p>
        <div className={styles.actions}>
          <LifecycleActions incident={incident} />
          <OwnerActions incident={incident} viewer={viewer} />
          <Button onClick={() => setSharing(true)} disabled={!incident.report}>
            Share
          </Button>
          <MoreActions incident={incident} viewer={viewer} />
        </div>
      </div>
      <Suspense>{isSharing ? <ShareDialog incident={incident} onClose={() => setSharing(false)} /> : null}</Suspense>
    </header>
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
