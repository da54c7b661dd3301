import type { Impact, ProcessExit } from "@whence/protocol";
import type { EventFacts } from "../findings/event-facts.ts";
import type { Findings } from "../findings/findings.ts";
import { summarizeLog } from "../findings/log-summary.ts";
import { ofKind } from "../findings/of-kind.ts";
import { relatedFindings } from "../outside/related-findings.ts";
import type { LogRecord } from "../signals/inputs/record.ts";
import { sentence } from "../words/prose.ts";
import { answeredSince } from "./extent.ts";
import { english, type Messages } from "./messages.en.ts";

/** Returns the impact with newer counts; the rest of its summary stays. */
export function withCounts(impact: Impact, counts: Omit<Impact, "summary">): Impact {
  const before = english.impact.totals(impact);
  const said = impact.summary.startsWith(before) ? impact.summary.slice(before.length) : "";
  return { ...counts, summary: `${english.impact.totals(counts)}${said}` };
}

/** Returns who is affected, as far as is known. */
export function impactOf(findings: Findings, messages: Messages): Impact {
  const impact = countsOf(findings, messages);
  return { ...impact, summary: [impact.summary, ...outside(findings, messages)].join(" ") };
}

const outsideMax = 2;

/** Returns where else the failure is known, and who is on call. */
function outside(findings: Findings, messages: Messages): string[] {
  const { records, onCall } = relatedFindings(findings);
  return [...records.slice(0, outsideMax), ...onCall.slice(0, outsideMax)].flatMap(({ fact }) =>
    fact.kind === "outside" && fact.outside.kind === "record" ? [messages.impact.record(fact.outside)] : [],
  );
}

function countsOf(findings: Findings, messages: Messages): Impact {
  if (findings.exit) return ofExit(findings.exit, messages);
  const [totals] = ofKind(findings.observations, "totals");
  if (!totals) return findings.event ? ofEvent(findings.event, messages) : ofText(findings, messages);
  const { impact } = totals.fact;
  const said = [
    messages.impact.totals(impact),
    ...share(findings, impact.first_seen, messages),
    ...trends(findings, messages),
  ];
  return { ...impact, summary: said.join(" ") };
}

function share(findings: Findings, since: string | null, { impact }: Messages): string[] {
  const { event } = findings;
  if (!event?.request || since === null) return [];
  const answered = answeredSince(findings, since);
  if (!answered) return [impact.shareUnknown(event.service)];
  return [impact.share(event.service, answered)];
}

function ofEvent(event: EventFacts, { impact }: Messages): Impact {
  return {
    summary: impact.first(),
    first_seen: event.at,
    last_seen: event.at,
    events: 1,
    services: [event.service],
    routes: event.request?.route ? [event.request.route] : [],
    hosts: [event.host],
    releases: event.release === "" ? [] : [event.release],
  };
}

function ofExit({ processes, othersReporting }: ProcessExit, { impact }: Messages): Impact {
  const distinct = (values: readonly string[]): string[] => [...new Set(values.filter((value) => value !== ""))];
  const last = processes.map(({ lastSeenAt }) => lastSeenAt).toSorted();
  const services = distinct(processes.map(({ service }) => service));
  return {
    summary: impact.exit(processes.length, services, othersReporting),
    first_seen: last[0] ?? null,
    last_seen: last.at(-1) ?? null,
    events: processes.length,
    services,
    routes: [],
    hosts: distinct(processes.map(({ host }) => host)),
    releases: distinct(processes.map(({ release }) => release)),
  };
}

/** Returns the impact that a log or an alert states. */
function ofText(findings: Findings, messages: Messages): Impact {
  const { error, incident } = findings;
  const { alert } = error;
  const { failure, failures, failedAt, lastFailedAt } = summarizeLog(findings);
  const labels = alert?.labels ?? {};
  const service =
    findings.about?.service ?? incident.service ?? labels.service ?? labels.app ?? labels.job ?? serviceOf(failure);
  const host = labels.host ?? labels.instance ?? labels.node ?? labels.pod;
  return {
    summary: textSummary(findings, messages),
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

function textSummary(findings: Findings, { impact }: Messages): string {
  const { alert } = findings.error;
  const { failures, failedAt, lastFailedAt, warnings } = summarizeLog(findings);
  if (failedAt !== null || failures > 1) {
    const [sign] = warnings.flatMap(({ first }) => first.at ?? []).toSorted();
    const isEarlier = sign !== undefined && (failedAt === null || Date.parse(sign) < Date.parse(failedAt));
    return [impact.logged(failures, failedAt, lastFailedAt), ...(isEarlier ? [impact.firstSign(sign)] : [])].join(" ");
  }
  return alert ? impact.alerting(alert.system, alert.startedAt) : impact.unknown();
}

/** Returns how the failure is developing, and where it is more frequent than elsewhere. */
function trends({ observations }: Findings, messages: Messages): string[] {
  return observations.flatMap(({ fact }) => {
    const isTrend = fact.kind === "concentration" || (fact.kind === "rate" && fact.rate.shape !== "first");
    return isTrend ? [sentence(messages.evidence(fact))] : [];
  });
}
