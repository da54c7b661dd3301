import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { Incident, IncidentLinks, IncidentStep } from "@whence/protocol";
import { type JSX, Suspense, useMemo, useState } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Placeholder } from "../../components/placeholder.tsx";
import { Problem } from "../../components/problem.tsx";
import { paths } from "../../config/paths.ts";
import { incidentQuery } from "../../features/incidents/api/get-incident.ts";
import { incidentLinksQuery } from "../../features/incidents/api/get-links.ts";
import { useFreshEvents } from "../../features/incidents/api/refresh-events.ts";
import { CodeContext } from "../../features/incidents/components/code-context.tsx";
import { Folded } from "../../features/incidents/components/folded.tsx";
import { EvidenceContext, FollowContext } from "../../features/incidents/components/prose.tsx";
import { Section } from "../../features/incidents/components/section.tsx";
import { IncidentActivity } from "../../features/incidents/course/incident-activity.tsx";
import { IncidentCourse } from "../../features/incidents/course/incident-course.tsx";
import { useCited } from "../../features/incidents/evidence/use-cited.ts";
import { AboutIncident } from "../../features/incidents/head/about-incident.tsx";
import { IncidentHead } from "../../features/incidents/head/incident-head.tsx";
import { MergedNote } from "../../features/incidents/head/merged-note.tsx";
import { DoNow } from "../../features/incidents/remedy/do-now.tsx";
import { Cause } from "../../features/incidents/report/cause.tsx";
import { FeedbackForm } from "../../features/incidents/report/feedback-form.tsx";
import { RefinementNote } from "../../features/incidents/report/refinement-note.tsx";
import { ReportFolds } from "../../features/incidents/report/report-folds.tsx";
import { Steps } from "../../features/incidents/report/steps.tsx";
import { UnreadableReport } from "../../features/incidents/report/unreadable-report.tsx";
import { useInvestigation } from "../../features/incidents/report/use-investigation.ts";
import { PlaceWatchFold } from "../../features/incidents/watch/place-watch.tsx";
import { sessionQuery } from "../../features/session/api/get-session.ts";
import { ApiError } from "../../lib/api-client.ts";
import { ownLine } from "../../lib/own-line.ts";
import { useKeys } from "../../lib/use-keys.ts";
import styles from "./incident.module.css";

const EventSection = lazyPart(() => import("../../features/incidents/event/event-section.tsx"));
const TextSection = lazyPart(() => import("../../features/incidents/event/text-section.tsx"));

const statusNotFound = 404;
/** How often the counts of an incident are refreshed. */
const countsEveryMs = 15_000;
const noCode: IncidentLinks["code"] = [];
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

function IncidentPage({ incident }: { readonly incident: Incident }): JSX.Element {
  const { report, unreadable_report: unreadable } = incident;
  const { cited, follow } = useCited();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const organizationId = session.organization?.id ?? null;
  const viewer = { userId: session.user.id, organizationId };
  const isRunning = incident.status === "queued" || incident.status === "investigating";
  const isLive = isRunning || incident.refinement?.refining === true;
  const [areStepsOpen, setStepsOpen] = useState(isRunning);
  useFreshEvents(incident);
  const steps = useInvestigation(incident.id, isLive ? "live" : areStepsOpen ? "past" : null);
  const evidence = useMemo(() => new Map(report?.evidence.map((item) => [item.id, item])), [report]);
  const { data: links } = useQuery(incidentLinksQuery(incident));
  return (
    <CodeContext value={links?.code ?? noCode}>
      <EvidenceContext value={evidence}>
        <FollowContext value={follow}>
          <IncidentHead incident={incident} viewer={viewer} />
          <IncidentActivity incident={incident} organizationId={organizationId} />
          <Investigation incident={incident} steps={steps} />
          {unreadable ? <UnreadableReport unreadable={unreadable} /> : null}
          {report ? (
            <div className={styles.answer}>
              <Cause report={report} />
              <div className={styles.act}>
                <DoNow incident={incident} report={report} canOpen={(links?.code_hosts.length ?? 0) > 0} />
                {incident.status === "merged" ? null : (
                  <FeedbackForm key={incident.id} incident={incident} userId={session.user.id} />
                )}
              </div>
            </div>
          ) : null}
          <IncidentCourse incident={incident} links={links} viewer={viewer} />
          <Suspense fallback={<Placeholder lines={8} />}>
            {hasEvents(incident) ? <EventSection incident={incident} /> : <TextSection incident={incident} />}
          </Suspense>
          <div>
            {report ? <ReportFolds incident={incident} report={report} cited={cited} /> : null}
            {incident.trigger.kind === "event" ? <PlaceWatchFold incident={incident} /> : null}
            {isRunning ? null : (
              <Folded
                title="Investigation steps"
                {...((incident.refinement?.version ?? 1) > 1 && { note: "without later refinements" })}
                onToggle={setStepsOpen}
                isPrinted={false}
              >
                {() => <Steps steps={steps} isOver />}
              </Folded>
            )}
            <Folded title="About this incident">{() => <AboutIncident incident={incident} />}</Folded>
          </div>
        </FollowContext>
      </EvidenceContext>
    </CodeContext>
  );
}

/** Whether its failure has events, or came as a text. */
function hasEvents({ trigger, fingerprint }: Incident): boolean {
  return trigger.kind === "event" || fingerprint !== null;
}

interface InvestigationProps {
  readonly incident: Incident;
  readonly steps: readonly IncidentStep[];
}

/** The state of the investigation, while there is anything to say about it. */
function Investigation({ incident, steps }: InvestigationProps): JSX.Element {
  const { status, failure, report, refinement, merged_into: mergedInto } = incident;
  const isRunning = status === "queued" || status === "investigating";
  return (
    <>
      {failure ? (
        <p role="alert" className={styles.failure}>
          {ownLine(failure.message)} <code>{failure.code}</code>
        </p>
      ) : null}
      {isRunning ? (
        <Section title={status === "queued" ? "Queued" : "Investigating"}>
          <div role="status">
            <Steps steps={steps} isOver={false} />
          </div>
        </Section>
      ) : null}
      {isRunning && report ? <p className={styles.soft}>The previous report, until the new one is ready:</p> : null}
      {mergedInto === undefined ? null : <MergedNote incident={incident} into={mergedInto} />}
      {refinement && !isRunning && mergedInto === undefined ? (
        <RefinementNote incident={incident} refinement={refinement} />
      ) : null}
    </>
  );
}
