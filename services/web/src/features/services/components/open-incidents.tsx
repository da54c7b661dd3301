import { Link } from "@tanstack/react-router";
import type { ServiceDetail } from "@whence/protocol";
import type { JSX } from "react";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { SeverityBadge } from "../../../components/severity-badge.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";

/** The open incidents of the service. */
export function OpenIncidents({
  detail: { incidents, service, env },
}: {
  readonly detail: ServiceDetail;
}): JSX.Element {
  return (
    <Panel
      title="Open incidents"
      note={
        <Link to={paths.incidents} search={{ service, env }}>
          All incidents of {service}
        </Link>
      }
    >
      <Rows none="No open incidents">
        {incidents.map(({ id, title, severity, created_at, occurrences }) => (
          <Row
            key={id}
            title={
              <>
                <SeverityBadge severity={severity} />
                <Link to={paths.incident} params={{ id }}>
                  {title}
                </Link>
              </>
            }
            facts={[
              <>
                opened <TimeAgo at={created_at} />
              </>,
              occurrences && countText(occurrences.events),
              occurrences && (
                <>
                  last seen <TimeAgo at={occurrences.last_seen} />
                </>
              ),
            ]}
          />
        ))}
      </Rows>
    </Panel>
  );
}

function countText(events: number): string {
  return `${events.toLocaleString()} ${events === 1 ? "event" : "events"}`;
}
