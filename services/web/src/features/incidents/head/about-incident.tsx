import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Incident, Trigger } from "@whence/protocol";
import type { JSX } from "react";
import { ExternalLink } from "../../../components/external-link.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { shortSpan } from "../../../lib/times.ts";
import { fewIncidentsQuery } from "../api/list-incidents.ts";
import { startedBy } from "../trigger-names.ts";
import styles from "./about-incident.module.css";
import { relatedBy, relatedIncidents, similarIncidents } from "./related-incidents.ts";

const relatedShown = 5;

/** Why the incident opened, who wrote its report, and what it is related to. */
export function AboutIncident({ incident }: { readonly incident: Incident }): JSX.Element {
  return (
    <>
      <Facts incident={incident} />
      <Origin incident={incident} />
      <Related incident={incident} />
    </>
  );
}

function Origin({ incident: { decision, report } }: { readonly incident: Incident }): JSX.Element {
  const model = report?.engine.model;
  return (
    <p>
      It was {decision.outcome}: {decision.reason}. <span className={styles.soft}>Rule: {decision.rule}.</span>
      {report ? (
        <span className={styles.soft}>
          {" "}
          Written by {report.engine.name} {report.engine.version}
          {model === undefined ? ", without a model" : ` with ${model}`}.
        </span>
      ) : null}
    </p>
  );
}

function Facts({ incident }: { readonly incident: Incident }): JSX.Element {
  const { trigger, created_at: opened, started_at: started, completed_at: ended } = incident;
  const facts: readonly (readonly [string, JSX.Element | string | null])[] = [
    ["Trigger", <StartedBy key="trigger" trigger={trigger} />],
    ["Opened", <TimeAgo key="opened" at={opened} />],
    ["Time to report", started && ended ? shortSpan(Date.parse(ended) - Date.parse(opened)) : null],
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

/** Earlier incidents of the same failure, similar ones, and other failures of the same service. */
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
  const listed = (page: typeof same.data) => (page?.incidents ?? []).map((one) => relatedBy(one, incident));
  const found = [listed(same.data), similarIncidents(incident.report?.evidence ?? []), listed(near.data)];
  const related = relatedIncidents(incident, found, relatedShown);
  if (related.length === 0) return null;
  return (
    <section aria-labelledby="related" className={styles.related}>
      <h3 id="related">Related</h3>
      <ul>
        {related.map((one) => (
          <li key={one.id}>
            <Link to={paths.incident} params={{ id: one.id }}>
              {one.title}
            </Link>
            <span>
              {one.relation}, <TimeAgo at={one.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
