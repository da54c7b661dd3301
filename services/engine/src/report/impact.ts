import type { Impact } from "@whence/protocol";
import type { EventFacts, Findings, LogRecord } from "../findings.ts";
import { logStoryOf } from "../log-story.ts";
import { capital } from "../prose.ts";
import { failingShare } from "./failing-share.ts";

/** The impact with later counts; what is said beside the counts stays. */
export function withCounts(impact: Impact, counts: Omit<Impact, "summary">): Impact {
  const said = impact.summary.startsWith(summaryOf(impact)) ? impact.summary.slice(summaryOf(impact).length) : "";
  return { ...counts, summary: `${summaryOf(counts)}${said}` };
}

/** Whom it hurts, as far as the telemetry tells. */
export function impactOf(findings: Findings): Impact {
  const fact = findings.observations.map(({ fact: one }) => one).find((one) => one?.kind === "totals");
  if (fact?.kind === "totals") {
    const { first_seen: firstSeen } = fact.impact;
    const share = firstSeen === null ? null : failingShare(findings, firstSeen);
    const said = [summaryOf(fact.impact), ...(share === null ? [] : [share]), ...trends(findings)];
    return { ...fact.impact, summary: said.join(" ") };
  }
  return findings.event ? ofEvent(findings.event) : ofText(findings);
}

function ofEvent(event: EventFacts): Impact {
  return {
    summary: "This is the first event of the failure that is known.",
    first_seen: event.at,
    last_seen: event.at,
    events: 1,
    services: [event.service],
    routes: event.request?.route ? [event.request.route] : [],
    hosts: [event.host],
    releases: event.release === "" ? [] : [event.release],
  };
}

/** What a log or an alert tells of it. */
function ofText(findings: Findings): Impact {
  const { error, incident } = findings;
  const { alert } = error;
  const { failure, failures, failedAt, lastFailedAt } = logStoryOf(findings);
  const labels = alert?.labels ?? {};
  const service = incident.service ?? labels.service ?? labels.app ?? labels.job ?? serviceOf(failure);
  const host = labels.host ?? labels.instance ?? labels.node ?? labels.pod;
  return {
    summary: summaryOfText(findings),
    first_seen: failedAt ?? alert?.startedAt ?? null,
    last_seen: lastFailedAt,
    events: failures,
    services: service === null ? [] : [service],
    routes: [],
    hosts: host === undefined ? [] : [host],
    releases: [],
  };
}

function serviceOf(failure: LogRecord | null): string | null {
  const { service } = failure?.fields ?? {};
  return typeof service === "string" ? service : null;
}

function summaryOfText(findings: Findings): string {
  const { alert } = findings.error;
  const { failures, failedAt, lastFailedAt, warnings } = logStoryOf(findings);
  if (failedAt !== null || failures > 1) {
    const times = failures === 1 ? "once" : `${failures} times`;
    const between = lastFailedAt === null || lastFailedAt === failedAt ? "" : ` to ${lastFailedAt}`;
    const span = failedAt === null ? "" : between === "" ? `, at ${failedAt}` : `, from ${failedAt}${between}`;
    const [sign] = warnings.flatMap(({ first }) => first.at ?? []).toSorted();
    const since = sign === undefined ? "" : ` The first sign of trouble in it is at ${sign}.`;
    return `It stands in the log ${times}${span}.${since} How often it happens beyond that, and whom it hurts, a pasted text does not say.`;
  }
  if (alert) {
    const since = alert.startedAt === null ? "" : ` since ${alert.startedAt}`;
    return `${alert.system} reports it${since}. How many requests or users it hurts, the alert does not say.`;
  }
  return "Unknown: the text says nothing about how often it happens, or to whom.";
}

/** How it goes on, and where it is more often than elsewhere. */
function trends({ observations }: Findings): string[] {
  return observations.flatMap(({ fact, summary }) => {
    const tells = fact?.kind === "concentration" || (fact?.kind === "rate" && fact.rate.shape !== "first");
    return tells ? [`${capital(summary)}.`] : [];
  });
}

function summaryOf({ events, services, routes, hosts, first_seen: since }: Omit<Impact, "summary">): string {
  const parts = [
    `${events} ${events === 1 ? "event" : "events"}`,
    ...(since === null ? [] : [`since ${since}`]),
    ...(services.length > 0 ? [`in ${services.join(", ")}`] : []),
    ...(routes.length > 0 ? [`on ${routes.join(", ")}`] : []),
    ...(hosts.length > 1 ? [`on ${hosts.length} hosts`] : []),
  ];
  return `${parts.join(" ")}.`;
}
