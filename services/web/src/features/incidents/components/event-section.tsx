import { Tabs } from "@base-ui/react/tabs";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Incident, Occurrence, OccurrenceDetail } from "@whence/protocol";
import { type JSX, type ReactNode, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Problem } from "../../../components/problem.tsx";
import { fullTime, sentenceTime } from "../../../lib/times.ts";
import { occurrenceQuery, occurrencesQuery } from "../api/get-occurrences.ts";
import { neighbors } from "../occurrence-neighbors.ts";
import { traceOfEvent } from "../trace.ts";
import { EventBreadcrumbs } from "./event-breadcrumbs.tsx";
import { EventRequest } from "./event-request.tsx";
import styles from "./event-section.module.css";
import { FailingEventNotes } from "./failing-event.tsx";
import { OccurrenceList } from "./occurrence-list.tsx";
import { Section } from "./section.tsx";
import { StackTrace } from "./stack-trace.tsx";

/** One event of the failure: its stack trace, request, breadcrumbs, all of it, and the other events. */
export default function EventSection({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const { id, fingerprint, trigger } = incident;
  const { data, fetchNextPage, hasNextPage } = useInfiniteQuery({
    ...occurrencesQuery(id),
    enabled: fingerprint !== null,
  });
  const occurrences = data?.pages.flatMap((page) => page.occurrences) ?? [];
  const [chosen, choose] = useState<string | null>(null);
  const openId = chosen ?? (trigger.kind === "event" ? trigger.event_id : (occurrences[0]?.event_id ?? null));
  const { data: detail, error } = useQuery({ ...occurrenceQuery(id, openId ?? ""), enabled: openId !== null });
  if (openId === null) return null;
  const loadMore = hasNextPage ? () => void fetchNextPage() : null;
  const list = (
    <OccurrenceList incident={incident} occurrences={occurrences} openId={openId} open={choose} loadMore={loadMore} />
  );
  return (
    <Section title="Event">
      <EventHead openId={openId} detail={detail} occurrences={occurrences} open={choose} />
      {error ? <Problem error={error} /> : null}
      <EventTabs detail={detail} list={list} />
      <FailingEventNotes incident={incident} />
    </Section>
  );
}

interface EventHeadProps {
  readonly openId: string;
  readonly detail: OccurrenceDetail | undefined;
  readonly occurrences: readonly Occurrence[];
  open(eventId: string): void;
}

/** When and where the open event happened, and the way to those before and after it. */
function EventHead({ openId, detail, occurrences, open }: EventHeadProps): JSX.Element {
  const { newer, older } = neighbors(occurrences, openId);
  const at = detail?.occurrence.at;
  return (
    <div className={styles.head}>
      <p className={styles.facts}>
        {at === undefined ? null : (
          <time dateTime={at} title={fullTime(at)}>
            {sentenceTime(at, Date.now())}
          </time>
        )}
        {detail === undefined ? null : <span>{factsOf(detail)}</span>}
      </p>
      <div className={styles.steps}>
        <Button look="quiet" disabled={newer === null} onClick={() => newer && open(newer)}>
          Newer
        </Button>
        <Button look="quiet" disabled={older === null} onClick={() => older && open(older)}>
          Older
        </Button>
      </div>
    </div>
  );
}

function factsOf({ occurrence, host }: OccurrenceDetail): string {
  const { service, release, host: name } = occurrence;
  return [`${service} ${release}`.trim(), name, `${host.runtime.name} ${host.runtime.version}`].join(" · ");
}

interface EventTabsProps {
  readonly detail: OccurrenceDetail | undefined;
  readonly list: ReactNode;
}

function EventTabs({ detail, list }: EventTabsProps): JSX.Element {
  const event = detail?.event;
  const breadcrumbs = event?.breadcrumbs ?? [];
  const panels: readonly (readonly [value: string, name: string, content: ReactNode])[] = [
    [
      "trace",
      "Stack trace",
      event ? <StackTrace key={event.id} errors={traceOfEvent(event)} {...ownerOf(detail.occurrence)} /> : null,
    ],
    ["request", "Request", event ? <EventRequest event={event} /> : null],
    ["breadcrumbs", `Breadcrumbs (${breadcrumbs.length})`, <EventBreadcrumbs key="b" breadcrumbs={breadcrumbs} />],
    [
      "raw",
      "Raw event",
      event ? <CodeBlock code={JSON.stringify(detail, null, 2)} language="json" label="Event as JSON" /> : null,
    ],
    ["events", "All events", list],
  ];
  return (
    <Tabs.Root defaultValue="trace">
      <Tabs.List className={styles.tabs} aria-label="Parts of the event">
        {panels.map(([value, name]) => (
          <Tabs.Tab key={value} value={value} className={styles.tab}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {panels.map(([value, , content]) => (
        <Tabs.Panel key={value} value={value} className={styles.panel}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
