import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";

/**
 * https://docs.datadoghq.com/api/latest/events/search-events/; a change has the fields of
 * https://docs.datadoghq.com/api/latest/events/post-an-event/.
 */
export const eventsSchema = z.object({
  data: z
    .array(
      z.object({
        attributes: z.object({
          timestamp: z.string(),
          tags: z.array(z.string()).nullish(),
          attributes: z.object({
            title: z.string().nullish(),
            status: z.string().nullish(),
            service: z.string().nullish(),
            hostname: z.string().nullish(),
            monitor_id: z.number().nullish(),
            monitor_groups: z.array(z.string()).nullish(),
            monitor: z.object({ name: z.string().nullish() }).nullish(),
            /** From the alert to its recovery, in nanoseconds. */
            duration: z.number().nullish(),
            evt: z.object({ category: z.string().nullish() }).nullish(),
            changed_resource: z.object({ name: z.string().nullish(), type: z.string().nullish() }).nullish(),
            author: z.object({ name: z.string().nullish() }).nullish(),
          }),
        }),
      }),
    )
    .default([]),
  meta: z.object({ page: z.object({ after: z.string().nullish() }).optional() }).optional(),
});

export type DatadogEvent = z.infer<typeof eventsSchema>["data"][number]["attributes"];

const nanosecondsPerMs = 1_000_000;
const troubled = new Set(["failure", "error", "warning"]);
const callsItselfDeployment = /\b(?:re)?deploy|\breleased?\b|\broll(?:ed|ing|s)?[ -]?(?:out|back)/i;

/**
 * Returns changes first, then monitors' alarms, then other problems. Other events are left out. An alarm links to its
 * monitor, any other finding to the explorer.
 */
export function eventFindings(events: readonly DatadogEvent[], app: string, explorer: string): OutsideFinding[] {
  const others = events.filter(({ attributes }) => !attributes.monitor_id);
  const found = [...others.flatMap(changeOf), ...alarmsOf(events, app), ...others.flatMap(troubleOf)];
  return found.map((finding) => ({ ...finding, url: finding.url ?? explorer }));
}

function changeOf({ attributes, timestamp: at }: DatadogEvent): OutsideFinding[] {
  const { title, evt, changed_resource: changed, author, service } = attributes;
  const isDeployment = callsItselfDeployment.test(title ?? "");
  const what = changed?.type === "feature_flag" ? "feature-flag" : isDeployment ? "deployment" : "configuration";
  if (!title || !(evt?.category === "change" || changed || isDeployment)) return [];
  const target = named(service) ?? changed?.name ?? null;
  return [
    {
      kind: "change-event",
      what,
      vendor: "Datadog",
      title,
      target,
      at,
      by: author?.name ?? null,
      failed: null,
      url: null,
    },
  ];
}

type ProblemFinding = Extract<OutsideFinding, { kind: "problem" }>;

/** Returns one problem for each alert of a monitor's group, the latest first; the recovery event ends it. */
function alarmsOf(events: readonly DatadogEvent[], app: string): OutsideFinding[] {
  const found: ProblemFinding[] = [];
  const open = new Map<string, ProblemFinding>();
  for (const { attributes, timestamp } of events.toSorted(
    (a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp),
  )) {
    const { monitor_id: id, monitor_groups: groups, status, duration } = attributes;
    const key = JSON.stringify([id, groups]);
    const alerting = open.get(key);
    const lastedMs = (duration ?? 0) / nanosecondsPerMs;
    if (!id) continue;
    if (status === "success" && (alerting || lastedMs > 0)) {
      const since = alerting?.since ?? new Date(Date.parse(timestamp) - lastedMs).toISOString();
      found.push(alarmOf(attributes, `${app}/monitors/${id}`, since, timestamp));
      open.delete(key);
    } else if (troubled.has(status ?? "") && !alerting) {
      open.set(key, alarmOf(attributes, `${app}/monitors/${id}`, timestamp, null));
    }
  }
  return [...found, ...open.values()].sort((a, b) => Date.parse(b.since) - Date.parse(a.since));
}

function alarmOf(
  { monitor, title, service, hostname }: DatadogEvent["attributes"],
  url: string,
  since: string,
  until: string | null,
): ProblemFinding {
  const target = named(service) ?? named(hostname);
  return {
    kind: "problem",
    what: "alarm",
    vendor: "Datadog",
    title: monitor?.name ?? title ?? "monitor",
    target,
    since,
    until,
    url,
  };
}

function troubleOf({ attributes, timestamp: at }: DatadogEvent): OutsideFinding[] {
  const { title, status, service, hostname } = attributes;
  if (!title || !troubled.has(status ?? "")) return [];
  const source = named(service) ?? named(hostname);
  return [{ kind: "log", vendor: "Datadog", level: status ?? null, message: title, source, at, count: 1, url: null }];
}

/** Datadog writes `undefined` for an event without a service. */
function named(text: string | null | undefined): string | null {
  return text && text !== "undefined" ? text : null;
}
