import type { Incident, IncidentLinks } from "@whence/protocol";
import type { JSX } from "react";
import { Section } from "../components/section.tsx";
import { Elsewhere } from "../elsewhere/elsewhere.tsx";
import type { IncidentViewer } from "../incident-viewer.ts";
import { HowItHappened } from "../report/how-it-happened.tsx";
import { EventsChart } from "./events-chart.tsx";
import styles from "./incident-course.module.css";
import { JoinedFailures } from "./joined-failures.tsx";

interface IncidentCourseProps {
  readonly incident: Incident;
  /** Undefined until they are known. */
  readonly links: IncidentLinks | undefined;
  readonly viewer: IncidentViewer;
}

const noAlerts: IncidentLinks["alerts"] = [];

/** How the failure came, once a report says so; and with or without one, how often, and what belongs to it elsewhere. */
export function IncidentCourse({ incident, links, viewer }: IncidentCourseProps): JSX.Element {
  return (
    <div className={styles.course}>
      {incident.report ? <HowItHappened report={incident.report} /> : null}
      <div className={styles.beside}>
        <EventsChart incident={incident} alerts={links?.alerts ?? noAlerts} />
        <Elsewhere incident={incident} links={links} viewer={viewer} />
        <Joined incident={incident} />
      </div>
    </div>
  );
}

function Joined({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const { id, joined_failures: joined = [] } = incident;
  if (joined.length === 0) return null;
  return (
    <Section title="Joined failures" note={`${joined.length} ${joined.length === 1 ? "failure" : "failures"}`}>
      <JoinedFailures incidentId={id} failures={joined} />
    </Section>
  );
}
