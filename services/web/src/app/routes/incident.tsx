import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useLocation, useNavigate } from "@tanstack/react-router";
import type { Incident } from "@whence/protocol";
import { type JSX, useMemo, useState } from "react";
import { PageTitle } from "../../components/page-title.tsx";
import { Placeholder } from "../../components/placeholder.tsx";
import { Problem } from "../../components/problem.tsx";
import { paths } from "../../config/paths.ts";
import { incidentQuery } from "../../features/incidents/api/get-incident.ts";
import { Impact } from "../../features/incidents/components/impact.tsx";
import { IncidentAside } from "../../features/incidents/components/incident-aside.tsx";
import { IncidentHead } from "../../features/incidents/components/incident-head.tsx";
import { JoinedFailures } from "../../features/incidents/components/joined-failures.tsx";
import { LifecycleHistory } from "../../features/incidents/components/lifecycle-state.tsx";
import { EvidenceContext } from "../../features/incidents/components/prose.tsx";
import { RefinementNote } from "../../features/incidents/components/refinement-note.tsx";
import { Origin, ReportDetails, RootCause } from "../../features/incidents/components/report-body.tsx";
import { Section } from "../../features/incidents/components/section.tsx";
import { Solutions } from "../../features/incidents/components/solutions.tsx";
import { Steps } from "../../features/incidents/components/steps.tsx";
import { Timeline } from "../../features/incidents/components/timeline.tsx";
import { UnreadableReport } from "../../features/incidents/components/unreadable-report.tsx";
import { useInvestigation } from "../../features/incidents/use-investigation.ts";
import { sessionQuery } from "../../features/session/api/get-session.ts";
import { ApiError } from "../../lib/api-client.ts";
import { useKeys } from "../../lib/use-keys.ts";
import styles from "./incident.module.css";

const statusNotFound = 404;
/** How often the counts of an incident are refreshed. */
const countsEveryMs = 15_000;
const route = getRouteApi("/inside/incidents/$id");

/** One incident: what happened, why, the evidence, and what to do. */
export function IncidentRoute(): JSX.Element {
  const { id } = route.useParams();
  const navigate = useNavigate();
  const {
    data: incident,
    error,
    isPending,
    refetch,
  } = useQuery({ ...incidentQuery(id), refetchInterval: countsEveryMs });
  useKeys({ u: () => void navigate({ to: paths.incidents }) });
  return (
    <div className={styles.page}>
      {isPending ? <Waiting /> : null}
      {error && !incident ? <Missing error={error} retry={() => void refetch()} /> : null}
      {incident ? <IncidentPage key={id} incident={incident} /> : null}
    </div>
  );
}

/** Doesn't reveal whether the incident exists in another organization. */
function Missing({ error, retry }: { readonly error: unknown; readonly retry: () => void }): JSX.Element {
  if (error instanceof ApiError && error.status === statusNotFound) {
    return (
      <>
        <PageTitle title="Incident not found" />
        <p>
          The address may be mistyped, or the incident may belong to another of your organizations.{" "}
          <Link to={paths.incidents}>Back to incidents</Link>
        </p>
      </>
    );
  }
  return (
    <>
      <PageTitle title="This incident couldn't be loaded" />
      <Problem error={error} retry={retry} />
    </>
  );
}

function Waiting(): JSX.Element {
  return (
    <>
      <PageTitle title="Incident" />
      <Placeholder lines={12} />
    </>
  );
}

/** Shown for an incident that was merged into another one. */
function Merged({ into }: { readonly into: string }): JSX.Element {
  return (
    <p role="status">
      This failure is part of{" "}
      <Link to={paths.incident} params={{ id: into }}>
        another incident
      </Link>
      , which has the current report.
    </p>
  );
}

function IncidentPage({ incident }: { readonly incident: Incident }): JSX.Element {
  const { report, unreadable_report: unreadable, refinement, joined_failures: joined = [] } = incident;
  const { hash } = useLocation();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isRunning = incident.status === "queued" || incident.status === "investigating";
  const isLive = isRunning || incident.refinement?.refining === true;
  const [areStepsOpen, setStepsOpen] = useState(isRunning);
  const steps = useInvestigation(incident.id, isLive ? "live" : areStepsOpen ? "past" : null);
  const evidence = useMemo(() => new Map(report?.evidence.map((item) => [item.id, item])), [report]);
  return (
    <EvidenceContext value={evidence}>
      <IncidentHead incident={incident} />
      <LifecycleHistory incident={incident} />
      <div className={styles.columns}>
        <div className={styles.report}>
          {incident.failure ? (
            <p role="alert" className={styles.failure}>
              {incident.failure.message} <code>{incident.failure.code}</code>
            </p>
          ) : null}
          {isRunning ? (
            <Section title={incident.status === "queued" ? "Queued" : "Investigating"}>
              <div role="status">
                <Steps steps={steps} isOver={false} />
              </div>
            </Section>
          ) : null}
          {isRunning && report ? <p className={styles.soft}>The previous report, until the new one is ready:</p> : null}
          {incident.merged_into === undefined ? null : <Merged into={incident.merged_into} />}
          {refinement && !isRunning && incident.merged_into === undefined ? (
            <RefinementNote incident={incident} refinement={refinement} />
          ) : null}
          {unreadable ? <UnreadableReport unreadable={unreadable} /> : null}
          {report ? <RootCause report={report} /> : null}
          {report ? <Solutions report={report} /> : null}
          {report ? (
            <Section title="Impact">
              <Impact incident={incident} />
            </Section>
          ) : null}
          {joined.length > 0 ? (
            <Section title="Joined failures" note={`${joined.length} ${joined.length === 1 ? "failure" : "failures"}`}>
              <JoinedFailures failures={joined} />
            </Section>
          ) : null}
          {report ? (
            <Section title="Timeline">
              <Timeline incident={incident} />
            </Section>
          ) : null}
          {report ? <ReportDetails incident={incident} report={report} cited={hash} /> : null}
          {isRunning ? null : (
            <details
              className={styles.steps}
              open={areStepsOpen}
              onToggle={({ currentTarget }) => setStepsOpen(currentTarget.open)}
            >
              <summary>
                <h2>Investigation steps</h2>
              </summary>
              <Steps steps={steps} isOver />
            </details>
          )}
          <Origin incident={incident} />
        </div>
        <IncidentAside incident={incident} userId={session.user.id} />
      </div>
    </EvidenceContext>
  );
}
