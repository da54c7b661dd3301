import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Alert } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { ExternalLink } from "../../../components/external-link.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { alertsQuery } from "../api/alert-sources.ts";

/** The latest alerts of a source, each with its incident. */
export function AlertSourceAlerts({ sourceId }: { readonly sourceId: string }): JSX.Element {
  const alerts = useQuery(alertsQuery(sourceId));
  return (
    <Loaded query={alerts} lines={3}>
      {(data) => (
        <Rows none="No alerts yet.">
          {data.alerts.map((alert) => (
            <AlertRow key={alert.key} alert={alert} />
          ))}
        </Rows>
      )}
    </Loaded>
  );
}

function AlertRow({ alert }: { readonly alert: Alert }): JSX.Element {
  const { title, url, incident_id: incidentId, fired_at: fired, resolved_at: resolved } = alert;
  return (
    <Row
      title={
        <>
          <Link to={paths.incident} params={{ id: incidentId }}>
            {title}
          </Link>
          {resolved === null ? <Badge tone="critical">firing</Badge> : <Badge tone="good">resolved</Badge>}
        </>
      }
      facts={[
        <>
          fired <TimeAgo at={fired} />
        </>,
        resolved === null ? null : (
          <>
            resolved <TimeAgo at={resolved} />
          </>
        ),
        url === null ? null : <ExternalLink href={url}>Open at the sender</ExternalLink>,
      ]}
    />
  );
}
