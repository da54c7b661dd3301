import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Incident, OccurrenceDetail } from "@whence/protocol";
import { type JSX, type ReactNode, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { Moment } from "../../../components/time.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { occurrenceQuery, occurrencesQuery } from "../api/get-occurrences.ts";
import { Section } from "../components/section.tsx";
import { EventBreadcrumbs } from "./event-breadcrumbs.tsx";
import { EventRequest } from "./event-request.tsx";
import styles from "./event-section.module.css";
import { FailingEventNotes } from "./failing-event.tsx";
import { OccurrenceList } from "./occurrence-list.tsx";
import { openEvent } from "./open-event.ts";
import { StackTrace } from "./stack-trace.tsx";
import { traceOfEvent } from "./trace.ts";

const statusNotFound = 404;

/** One event of the failure: its stack trace, request, breadcrumbs, all of it, and the other events. */
export default function EventSection({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const { id, fingerprint, trigger } = incident;
  const triggerId = trigger.kind === "event" ? trigger.event_id : null;
  const list = useInfiniteQuery({ ...occurrencesQuery(id), enabled: fingerprint !== null });
  const occurrences = list.data?.pages.flatMap((page) => page.occurrences) ?? [];
  const [chosen, choose] = useState<string | null>(null);
  const [tab, setTab] = useState<EventTab>("trace");
  const first = useQuery({ ...occurrenceQuery(id, triggerId ?? ""), enabled: triggerId !== null });
  const isTriggerGone = first.error instanceof ApiError && first.error.status === statusNotFound;
  const openId = openEvent({ chosen, triggerId, isTriggerGone, newest: occurrences[0]?.event_id ?? null });
  const { data: detail, error } = useQuery({ ...occurrenceQuery(id, openId ?? ""), enabled: openId !== null });
  if (openId === null && !list.error) return null;
  const loadMore = list.hasNextPage ? () => void list.fetchNextPage() : null;
  const open = (eventId: string): void => {
    choose(eventId);
    setTab("trace");
  };
  return (
    <Section title="Event">
      {openId === null ? null : <EventHead detail={detail} open={choose} />}
      {error ? <Problem error={error} /> : null}
      {list.error ? <Problem error={list.error} retry={() => void list.refetch()} /> : null}
      <EventTabs detail={detail} tab={tab} setTab={setTab}>
        <OccurrenceList incident={incident} occurrences={occurrences} openId={openId} open={open} loadMore={loadMore} />
      </EventTabs>
      {openId !== null && openId === triggerId ? <FailingEventNotes incident={incident} /> : null}
    </Section>
  );
}

interface EventHeadProps {
  readonly detail: OccurrenceDetail | undefined;
  open(eventId: string): void;
}

/** When and where the open event happened, and the way to those before and after it. */
function EventHead({ detail, open }: EventHeadProps): JSX.Element {
  const { newer = null, older = null } = detail ?? {};
  const at = detail?.occurrence.at;
  return (
    <div className={styles.head}>
      <p className={styles.facts}>
        {at === undefined ? null : <Moment at={at} />}
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

const eventTabs = ["trace", "request", "breadcrumbs", "raw", "events"] as const;
type EventTab = (typeof eventTabs)[number];

interface EventTabsProps {
  readonly detail: OccurrenceDetail | undefined;
  readonly tab: EventTab;
  readonly children: ReactNode;
  setTab(tab: EventTab): void;
}

/** The parts of an event, and the list of all events as the last tab. */
function EventTabs({ detail, tab, setTab, children }: EventTabsProps): JSX.Element {
  const breadcrumbs = detail?.event.breadcrumbs ?? [];
  const names: Readonly<Record<EventTab, string>> = {
    trace: "Stack trace",
    request: "Request",
    raw: "Raw event",
    events: "All events",
    breadcrumbs: detail ? `Breadcrumbs (${breadcrumbs.length})` : "Breadcrumbs",
  };
  const tabs = eventTabs.map((one) => [one, names[one]] as const);
  return (
    <Tabs label="Parts of the event" tabs={tabs} open={tab} onOpen={setTab}>
      {tab === "events" ? children : detail ? <EventPart part={tab} detail={detail} /> : null}
    </Tabs>
  );
}

interface EventPartProps {
  readonly part: Exclude<EventTab, "events">;
  readonly detail: OccurrenceDetail;
}

function EventPart({ part, detail: { newer: _, older: __, ...stored } }: EventPartProps): JSX.Element {
  const { event, occurrence } = stored;
  const { service, release } = occurrence;
  switch (part) {
    case "trace":
      return <StackTrace key={event.id} errors={traceOfEvent(event)} service={service} release={release} />;
    case "request":
      return <EventRequest event={event} />;
    case "breadcrumbs":
      return <EventBreadcrumbs breadcrumbs={event.breadcrumbs ?? []} />;
    case "raw":
      return <CodeBlock code={JSON.stringify(stored, null, 2)} language="json" label="Event as JSON" />;
  }
}
