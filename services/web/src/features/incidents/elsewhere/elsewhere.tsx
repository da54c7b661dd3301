import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Incident, type IncidentLinks, runbookUrls } from "@whence/protocol";
import type { JSX, ReactNode } from "react";
import { ExternalLink } from "../../../components/external-link.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { incidentInputQuery } from "../api/get-occurrences.ts";
import { Section } from "../components/section.tsx";
import type { IncidentViewer } from "../incident-viewer.ts";
import { plainText } from "../plain-text.ts";
import styles from "./elsewhere.module.css";
import { OnCall } from "./on-call.tsx";
import { onCall, outsidePages } from "./outside-pages.ts";

interface ElsewhereProps {
  readonly incident: Incident;
  readonly links: IncidentLinks | undefined;
  readonly viewer: IncidentViewer;
}

/** What belongs to the incident elsewhere: alerts, runbooks, conversations, who is on call, and connected systems. */
export function Elsewhere({ incident, links, viewer }: ElsewhereProps): JSX.Element | null {
  const { report, trigger } = incident;
  const { data: input } = useQuery({
    ...incidentInputQuery(incident.id),
    enabled: trigger.kind === "alert" || trigger.kind === "conversation",
  });
  const evidence = report?.evidence ?? [];
  const alerts = links?.alerts ?? [];
  const runbooks = [...alerts.flatMap(({ runbook_url: url }) => url ?? []), ...runbookUrls(input?.text ?? "")];
  const rows: [name: string, content: ReactNode, key: string][] = [
    ...alerts.map((alert): [string, ReactNode, string] => [
      "Alert",
      <FiredAlert key={alert.title} alert={alert} />,
      `${alert.title} ${alert.fired_at}`,
    ]),
    ...[...new Set(runbooks)].map((url): [string, ReactNode, string] => [
      "Runbook",
      <ExternalLink key={url} href={url}>
        {url}
      </ExternalLink>,
      url,
    ]),
    ...(links?.conversations ?? []).map((one): [string, ReactNode, string] => [
      "Thread",
      <>
        <Page url={one.url}>{one.title ?? "Conversation"}</Page>
        <span className={styles.source}>
          {one.source}, <TimeAgo at={one.asked_at} />
        </span>
      </>,
      `${one.url} ${one.asked_at}`,
    ]),
    ...onCall(evidence).map((person): [string, ReactNode, string] => [
      "On call",
      <OnCall key={person.who} {...{ person, incident, viewer }} />,
      person.who,
    ]),
    ...outsidePages(evidence).map(({ vendor, url, summary }): [string, ReactNode, string] => [
      vendor,
      <ExternalLink key={url} href={url}>
        {plainText(summary)}
      </ExternalLink>,
      url,
    ]),
  ];
  if (rows.length === 0) return null;
  return (
    <Section title="Elsewhere">
      <dl className={styles.elsewhere}>
        {rows.map(([name, content, key]) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function FiredAlert({ alert }: { readonly alert: IncidentLinks["alerts"][number] }): JSX.Element {
  const { title, url, source, source_kind: kind, fired_at: firedAt, resolved_at: endedAt } = alert;
  return (
    <>
      <Page url={url}>{title}</Page>
      <span className={styles.source}>
        {kind === "monitor" ? <Link to={paths.settingsMonitors}>{source}</Link> : source}, fired{" "}
        <TimeAgo at={firedAt} />
        {endedAt === null ? null : (
          <>
            , ended <TimeAgo at={endedAt} />
          </>
        )}
      </span>
    </>
  );
}

function Page({ url, children }: { readonly url: string | null; readonly children: ReactNode }): ReactNode {
  return url === null ? children : <ExternalLink href={url}>{children}</ExternalLink>;
}
