import { z } from "zod";
import type { AnnouncedAlert } from "../alert-senders/announcement.ts";
import { identifier, optionalText, time } from "../text/fields.ts";
import { linkFrom, nameFrom, textFrom, titleFrom } from "../text/plain-text.ts";
import { severityFrom } from "../text/severity-words.ts";

/** https://docs.sentry.io/integrations/integration-platform/webhooks/issues/ */
const issueSchema = z.object({
  id: identifier,
  shortId: optionalText,
  title: z.string(),
  culprit: optionalText,
  level: optionalText,
  web_url: optionalText,
  permalink: optionalText,
  project: z.object({ slug: optionalText }).nullish(),
  issueCategory: optionalText,
  firstSeen: time,
  lastSeen: time,
});

/** User feedback isn't a failure. */
const feedbackCategory = "feedback";

/** Returns the announcement of a new or reopened issue; null when it isn't a failure. */
export function fromSentryIssue(body: unknown, state: AnnouncedAlert["state"], action: string): AnnouncedAlert | null {
  const issue = issueSchema.parse(body);
  if (issue.issueCategory === feedbackCategory) return null;
  const at = action === "unresolved" ? issue.lastSeen : issue.firstSeen;
  return {
    key: `issue ${issue.id}`,
    state,
    title: titleFrom(issue.title),
    text: textFrom(
      `[Sentry] ${issue.title}`,
      issue.culprit && `- culprit = ${issue.culprit}`,
      issue.level && `- level = ${issue.level}`,
      issue.shortId && `- issue = ${issue.shortId}`,
      `timestamp: ${at}`,
    ),
    service: nameFrom(issue.project?.slug),
    env: null,
    severity: severityFrom(issue.level),
    at,
    url: linkFrom(issue.web_url) ?? linkFrom(issue.permalink),
  };
}

/** https://docs.sentry.io/integrations/integration-platform/webhooks/metric-alerts/ */
const metricAlertSchema = z.object({
  description_text: z.string(),
  description_title: z.string(),
  web_url: optionalText,
  metric_alert: z.object({
    id: identifier,
    date_started: time,
    projects: z.array(z.string()).nullish(),
    alert_rule: z.object({
      name: optionalText,
      environment: optionalText,
      aggregate: optionalText,
      query: optionalText,
    }),
  }),
});

/** Returns the announcement of a metric alert's incident. `action` is its severity. */
export function fromSentryMetricAlert(body: unknown, state: AnnouncedAlert["state"], action: string): AnnouncedAlert {
  const { metric_alert: incident, ...said } = metricAlertSchema.parse(body);
  const { alert_rule: rule, projects } = incident;
  return {
    key: `metric ${incident.id}`,
    state,
    title: titleFrom(said.description_title),
    text: textFrom(
      `[Sentry] ${said.description_title}`,
      said.description_text,
      rule.name && `- rule = ${rule.name}`,
      rule.aggregate && `- aggregate = ${rule.aggregate}`,
      rule.query && `- query = ${rule.query}`,
      `started: ${incident.date_started}`,
    ),
    service: projects?.length === 1 ? nameFrom(projects[0]) : null,
    env: nameFrom(rule.environment),
    severity: severityFrom(action),
    at: incident.date_started,
    url: linkFrom(said.web_url),
  };
}
