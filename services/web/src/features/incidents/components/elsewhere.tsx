import { useQuery } from "@tanstack/react-query";
import type { Incident, IncidentLinks } from "@whence/protocol";
import type { JSX, ReactNode } from "react";
import { ExternalLink } from "../../../components/external-link.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { incidentInputQuery } from "../api/get-occurrences.ts";
import { onCall, outsidePages, runbookUrls } from "../elsewhere.ts";
import type { IncidentViewer } from "../incident-viewer.ts";
import { plainText } from "../plain-text.ts";
import styles from "./elsewhere.module.css";
import { OnCall } from "./on-call.tsx";
import { Section } from "./section.tsx";

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
  const rows: [name: string, content: ReactNode, key: string][] = [
    ...(links?.alerts ?? []).map((alert): [string, ReactNode, string] => [
      "Alert",
      <>
        <Page url={alert.url}>{alert.title}</Page> {alert.source}, fired <TimeAgo at={alert.fired_at} />
        {alert.resolved_at === null ? "" : ", resolved"}
      </>,
      `${alert.title} ${alert.fired_at}`,
    ]),
    ...runbookUrls(input?.text ?? "").map((url): [string, ReactNode, string] => [
      "Runbook",
      <ExternalLink key={url} href={url}>
        {url}
      </ExternalLink>,
      url,
    ]),
    ...(links?.conversations ?? []).map((one): [string, ReactNode, string] => [
      "Thread",
      <>
        <Page url={one.url}>{one.title ?? "Conversation"}</Page> {one.source}, <TimeAgo at={one.asked_at} />
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

function Page({ url, children }: { readonly url: string | null; readonly children: ReactNode }): ReactNode {
  return url === null ? children : <ExternalLink href={url}>{children}</ExternalLink>;
}
