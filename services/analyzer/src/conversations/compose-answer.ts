import type { Report } from "@whence/protocol";
import type { KnownFailure, StoredIncident } from "@whence/storage";
import { beginnings, labels, type MessageDocument, type MessagePart, solutionText, utcTime } from "@whence/vendors";
import { incidentUrl } from "../incidents/incident-url.ts";
import { confidencePart, runnersUp } from "./confidence-words.ts";
import { messageLimits } from "./message-limits.ts";
import { facts, headlineFrom, paragraph, steps } from "./message-parts.ts";
import { stepText } from "./step-text.ts";

/** The parts of an incident that messages use. */
export type AnsweredIncident = Pick<
  StoredIncident,
  "id" | "title" | "service" | "env" | "status" | "report" | "failure"
>;

/** Returns the acknowledgment of a request, before anything is known. */
export function acknowledgment(title: string | null): MessageDocument {
  return {
    purpose: "acknowledgment",
    headline: headlineFrom(`Looking for the root cause${title === null ? "" : ` of "${title}"`}.`),
    parts: paragraph(null, "The answer will be posted here."),
    link: null,
  };
}

/** Returns which of several failures the answer will be about, and where the others are. */
export function otherFailures(
  answered: KnownFailure,
  others: readonly KnownFailure[],
  appUrl: string,
): MessageDocument {
  const shown = others.slice(0, messageLimits.otherFailuresMax);
  const lines = shown.flatMap(({ title, incidentId }) =>
    incidentId === null ? [] : [`${title}: ${incidentUrl(appUrl, incidentId)}`],
  );
  const label = others.length === 1 ? "The other failure" : "The other failures";
  return {
    purpose: "acknowledgment",
    headline: headlineFrom(`This may be about ${others.length + 1} failures. The answer is about "${answered.title}".`),
    parts: steps(
      shown.length < others.length ? `${shown.length} of the other ${others.length} failures` : label,
      lines,
    ),
    link: null,
  };
}

/** Returns the result of the investigation: that it is running, or if it ended without a report, that it failed. */
export function answerOf(incident: AnsweredIncident, url: string): MessageDocument {
  const { title, status, report, failure } = incident;
  if (!report && !failure && (status === "queued" || status === "investigating")) return underWay(url);
  if (!report) return failureOf(incident, url);
  const headline = headlineFrom(report.root_cause_summary);
  return {
    purpose: "answer",
    headline,
    parts: [
      ...(headline.includes(title) ? [] : paragraph(labels.error, title)),
      ...howItHappened(report),
      ...confidencePart(report.confidence),
      ...runnersUp(report),
      ...firstFix(report),
      ...incidentFacts(incident),
    ],
    link: linkTo(url),
  };
}

/** Returns the message that there is no cause to report, and why. */
export function failureOf({ title, failure }: AnsweredIncident, url: string): MessageDocument {
  return {
    purpose: "failure",
    headline: headlineFrom(`${beginnings.failed}${title}`),
    parts: paragraph(labels.failed, failure?.message ?? "It ended without a report."),
    link: linkTo(url),
  };
}

/** Returns the message that the request was canceled, and how to repeat it. */
export function stopped(): MessageDocument {
  return {
    purpose: "answer",
    headline: "Stopped. No answer will be posted here.",
    parts: paragraph(null, "To get one after all, ask again."),
    link: null,
  };
}

/** Returns the message that the conversation couldn't be read, and why. */
export function unreadable(reason: string): MessageDocument {
  return {
    purpose: "failure",
    headline: headlineFrom(`This conversation couldn't be read: ${reason}`),
    parts: paragraph(null, "Ask again once this is solved."),
    link: null,
  };
}

/** Returns the answer to a repeated request: the earlier result. */
export function existingAnalysis(incident: AnsweredIncident, url: string): MessageDocument {
  const { title, report } = incident;
  if (!report) return answerOf(incident, url);
  return {
    purpose: "answer",
    headline: headlineFrom(`Already analyzed: ${report.root_cause_summary}`),
    parts: [
      ...paragraph(labels.error, title),
      ...confidencePart(report.confidence),
      ...firstFix(report),
      ...incidentFacts(incident),
    ],
    link: linkTo(url),
  };
}

/** Returns the answer to a request while the same failure is being investigated. */
export function underWay(url: string): MessageDocument {
  return {
    purpose: "acknowledgment",
    headline: "The investigation is already running.",
    parts: paragraph(null, "The answer will be posted here."),
    link: linkTo(url),
  };
}

/** Returns the link to the incident at the end of every answer. */
export function linkTo(url: string): NonNullable<MessageDocument["link"]> {
  return { text: labels.open, url };
}

/** Returns where and how often it failed, according to the report. */
export function incidentFacts({ service, env, report }: AnsweredIncident): readonly MessagePart[] {
  const since = report?.impact.first_seen ?? null;
  const events = report?.impact.events ?? 0;
  return facts([service, env, ...(since === null ? [] : [`since ${utcTime(since)}`, eventCount(events)])]);
}

/** Returns `1 event`, `5 events`; null for none. */
export function eventCount(events: number): string | null {
  return events === 0 ? null : `${events} ${events === 1 ? "event" : "events"}`;
}

/** Returns the causal chain; nothing when it has a single link, which the headline states. */
export function howItHappened({ chain }: Report): readonly MessagePart[] {
  return chain.length < 2 ? [] : steps("How it happened", chain.map(stepText));
}

function firstFix({ short_term_solutions: [first] }: Report): readonly MessagePart[] {
  return first ? paragraph(labels.fix, solutionText(first)) : [];
}
