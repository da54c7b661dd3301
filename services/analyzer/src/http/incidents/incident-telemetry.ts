import type { IncidentTelemetry, TimelineEntry } from "@whence/protocol";
import type { ScopedEvents, StoredEvent, StoredIncident } from "@whence/storage";
import type { ReportedReleases } from "../../releases/known-releases.ts";
import { serviceDeploys } from "../../releases/service-deploys.ts";
import { readFailingEvent } from "./failing-event.ts";
import { reachMs, type Span, telemetrySpan } from "./telemetry-span.ts";

const errorsShown = 200;
const heartbeatsShown = 400;

type Entries = TimelineEntry[];

/** The sources of what happened around an incident. */
interface IncidentSources {
  readonly events: ScopedEvents;
  readonly reported: ReportedReleases;
}

/**
 * Returns the telemetry around an incident: how often and where its failure occurred, and what happened in its service.
 * Empty for an incident about a pasted text, to which no telemetry belongs.
 */
export async function readIncidentTelemetry(
  sources: IncidentSources,
  incident: StoredIncident,
  now: number,
): Promise<IncidentTelemetry> {
  const { events } = sources;
  const { from, to } = telemetrySpan(incident, now);
  const { trigger, fingerprint } = incident;
  const failure = fingerprint === null ? null : { fingerprint, env: incident.env ?? undefined, from, to };
  const event = trigger.kind === "event" ? await events.event(trigger.event_id) : null;
  const [minutes, users, places, timeline, failingEvent] = await Promise.all([
    failure === null ? [] : events.failureByMinute(failure),
    failure === null ? 0 : events.failureUsers(failure),
    failure === null ? nowhere : events.failurePlaces(failure),
    readTimeline(sources, incident, event, { from, to }),
    event === null ? null : readFailingEvent(events, event, beforeOpening(incident)),
  ]);
  return {
    from,
    to,
    minutes: [...minutes],
    users,
    routes: [...places.routes],
    hosts: [...places.hosts],
    releases: [...places.releases],
    failing_event: failingEvent,
    timeline,
  };
}

/** From when on the process of the event that opened the incident is considered. */
function beforeOpening({ created_at }: StoredIncident): string {
  return new Date(Date.parse(created_at) - reachMs).toISOString();
}

const nowhere = { routes: [], hosts: [], releases: [] };

async function readTimeline(
  { events, reported }: IncidentSources,
  { service, env, fingerprint }: StoredIncident,
  event: StoredEvent | null,
  span: Span,
): Promise<Entries> {
  const breadcrumbs = event === null ? [] : breadcrumbsOf(event);
  const [errors, lives, deploys] = await Promise.all([
    fingerprint === null ? [] : errorsOf(events, fingerprint, span),
    service === null ? [] : livesOf(events, service, span),
    service === null || env === null ? [] : deploysOf({ events, reported }, { service, env }, span),
  ]);
  return [...breadcrumbs, ...errors, ...lives, ...deploys].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function breadcrumbsOf({ event, instance }: StoredEvent): Entries {
  return (event.breadcrumbs ?? []).map(({ timestamp, category, message }) => ({
    at: timestamp,
    kind: "breadcrumb",
    text: message === undefined ? category : `${category}: ${message}`,
    instance,
  }));
}

async function errorsOf(events: ScopedEvents, fingerprint: string, span: Span): Promise<Entries> {
  const found = await events.find({ ...span, fingerprint, limit: errorsShown });
  return found.map((stored) => entryOf(stored, "error", stored.event.message));
}

async function livesOf(events: ScopedEvents, service: string, span: Span): Promise<Entries> {
  const found = await events.find({ ...span, service, types: ["heartbeat", "exit"], limit: heartbeatsShown });
  return found.map((stored) => {
    const isExit = stored.event.type === "exit";
    return entryOf(stored, isExit ? "exit" : "heartbeat", `${isExit ? "exit" : "heartbeat"} of ${stored.host.name}`);
  });
}

async function deploysOf(
  { events, reported }: IncidentSources,
  service: { readonly service: string; readonly env: string },
  span: Span,
): Promise<Entries> {
  const deploys = await serviceDeploys(events, reported, { ...service, ...span });
  return deploys.map(({ at, text }) => ({ at, kind: "deploy", instance: null, text }));
}

function entryOf({ event, instance }: StoredEvent, kind: TimelineEntry["kind"], text: string): TimelineEntry {
  return { at: event.timestamp, kind, text, instance };
}
