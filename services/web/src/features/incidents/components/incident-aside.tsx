import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Incident, Trigger } from "@whence/protocol";
import type { JSX } from "react";
import { ExternalLink } from "../../../components/external-link.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { shortSpan } from "../../../lib/times.ts";
import { fewIncidentsQuery } from "../api/list-incidents.ts";
import { relatedIncidents, relationOf } from "../related-incidents.ts";
import { startedBy } from "../trigger-names.ts";
import { FeedbackForm } from "./feedback-form.tsx";
import styles from "./incident-aside.module.css";

const relatedShown = 5;

/** The column beside a report: facts, feedback, and related incidents. */
export function IncidentAside({
  incident,
  userId,
}: {
  readonly incident: Incident;
  readonly userId: string;
}): JSX.Element {
  return (
    <aside className={styles.aside} aria-label="About the incident">
      <Facts incident={incident} />
      {incident.report && incident.status !== "merged" ? (
        <FeedbackForm key={incident.id} incident={incident} userId={userId} />
      ) : null}
      <Related incident={incident} />
    </aside>
  );
}

function Facts({ incident }: { readonly incident: Incident }): JSX.Element {
  const { service, env, trigger, created_at: opened, started_at: started, completed_at: ended, report } = incident;
  const impact = report?.impact;
  const facts: readonly (readonly [string, JSX.Element | string | null])[] = [
    ["Service", service],
    ["Environment", env],
    ["Trigger", <StartedBy key="trigger" trigger={trigger} />],
    ["Opened", <TimeAgo key="opened" at={opened} />],
    ["Time to report", started && ended ? shortSpan(Date.parse(ended) - Date.parse(opened)) : null],
    ["Events", impact && impact.events > 0 ? impact.events.toLocaleString() : null],
    ["First seen", impact?.first_seen ? <TimeAgo key="first" at={impact.first_seen} /> : null],
    ["Last seen", impact?.last_seen ? <TimeAgo key="last" at={impact.last_seen} /> : null],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** What started the investigation. An alert and a conversation link to their page at the vendor. */
function StartedBy({ trigger }: { readonly trigger: Trigger }): JSX.Element | string {
  const name = startedBy(trigger);
  const url = "url" in trigger ? trigger.url : null;
  return url === null ? name : <ExternalLink href={url}>{name}</ExternalLink>;
}

/** Earlier incidents of the same failure, and other failures of the same service. */
function Related({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const { fingerprint, service } = incident;
  const same = useQuery({
    ...fewIncidentsQuery(fingerprint === null ? {} : { fingerprint }, relatedShown + 1),
    enabled: fingerprint !== null,
  });
  const near = useQuery({
    ...fewIncidentsQuery(service === null ? {} : { service }, relatedShown + 1),
    enabled: service !== null,
  });
  const found = [same.data?.incidents ?? [], near.data?.incidents ?? []];
  const related = relatedIncidents(incident, found, relatedShown);
  if (related.length === 0) return null;
  return (
    <section aria-labelledby="related" className={styles.related}>
      <h2 id="related">Related</h2>
      <ul>
        {related.map((one) => (
          <li key={one.id}>
            <Link to={paths.incident} params={{ id: one.id }}>
              {one.title}
            </Link>
            <span>
              {relationOf(one, incident)}, <TimeAgo at={one.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
