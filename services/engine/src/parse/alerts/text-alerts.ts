import { ownSystem } from "../../signals/inputs/alert.ts";
import type { ReadableLine } from "../readable-line.ts";
import { readTime } from "../records/time.ts";
import type { ReadAlert } from "./json-alerts.ts";

/** A title that identifies a monitoring system. Groups: `name`, and optionally `status`, `severity`, `summary`. */
interface AlertTitle {
  /** The name of its row in docs/formats.md, and of the alert's system. */
  readonly name: string;
  readonly pattern: RegExp;
}

/** How notifications begin in emails and chats. */
export const textAlertTitles: readonly AlertTitle[] = [
  { name: "Prometheus Alertmanager", pattern: /\[(?<status>FIRING|RESOLVED)(?::\d{1,5})?\] (?<name>\S.{0,300})$/ },
  { name: "Grafana", pattern: /^\s*(?::\w{1,30}: )?\[(?<status>Alerting|No Data|OK)\] (?<name>\S.{0,300})$/ },
  {
    name: "Amazon CloudWatch",
    pattern:
      /CloudWatch Alarm "(?<name>[^"]{1,255})" in the .{1,60} region has entered the (?<status>[A-Z_]{2,20}) state, because "(?<summary>[^"]{1,2000})"/,
  },
  { name: "Amazon CloudWatch", pattern: /^(?<status>ALARM|INSUFFICIENT_DATA): "(?<name>[^"]{1,255})" in .{1,60}$/ },
  {
    name: "Datadog",
    pattern:
      /^(?:\[(?<severity>P[1-5])\] )?\[(?<status>Triggered|Re-Triggered|Warn|Re-Warn|Recovered|No Data)(?: on \{[^}]{0,300}\})?\] (?<name>\S.{0,300})$/,
  },
  { name: "Opsgenie", pattern: /^\[?Opsgenie\]?:? (?:New alert|Alert): "?(?<name>[^"]{1,300})"?/ },
  {
    name: "PagerDuty",
    pattern: /^(?:PagerDuty ALERT|\[PagerDuty\]|ALERT): (?:You have been assigned incident )?(?<name>\S.{0,300})$/,
  },
  {
    name: "PagerDuty",
    pattern: /^\[#\d{1,9}\] (?<name>\S.{0,300}?)(?: \((?<status>Triggered|Acknowledged|Resolved)\))?$/,
  },
  { name: ownSystem, pattern: /^\[Whence\] (?<name>\S.{0,300})$/ },
  { name: "Sentry", pattern: /^\[?Sentry\]?:? (?:New (?:issue|alert)(?: from \S{1,60})?: )?(?<name>\S.{0,300})$/ },
];

/** The title is at the start of a notification; a log may be pasted below it. */
const titleWithinLines = 30;
const labelLinesMax = 80;
const sentenceWithinLines = 4;
/** `- severity = critical`, `severity: critical`. */
const label = /^\s{0,8}(?:[-*•] )?(?<name>[A-Za-z_][\w ]{0,40}?)(?: = |: {1,40})(?<value>\S.{0,1000})$/;
/** Labels written with a colon; other names could as well be log lines. */
const known =
  /^(?:alertname|severity|summary|description|instance|job|service|namespace|pod|cluster|env|environment|region|host|status|state|priority|metric|threshold|value|runbook_url|dashboard|source|monitor|incident|startsAt|started|name|reason for state change|state change|timestamp|alarm arn)$/i;

/** Returns the alert in an email or chat message, with the lines that belong to it; null when there isn't one. */
export function readTextAlert(lines: readonly ReadableLine[]): { alert: ReadAlert; from: number; to: number } | null {
  for (const [index, { text }] of lines.slice(0, titleWithinLines).entries()) {
    const title = text.length > 3 ? titleOf(text.slice(0, 3_000)) : null;
    if (!title) continue;
    const found = withSentence(title, lines.slice(index + 1, index + 1 + sentenceWithinLines));
    const { labels, to } = labelsBelow(lines, index);
    return { alert: toAlert(found, labels), from: index, to };
  }
  return null;
}

/** Adds the sentence below a subject line, which gives the reason. */
function withSentence(title: Title, below: readonly ReadableLine[]): Title {
  if (title.groups.summary !== undefined) return title;
  for (const { text } of below) {
    const more = titleOf(text.slice(0, 3_000));
    if (more?.system === title.system && more.groups.summary !== undefined && more.groups.name === title.groups.name)
      return { ...title, groups: { ...title.groups, ...more.groups } };
  }
  return title;
}

interface Title {
  readonly system: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

function titleOf(text: string): Title | null {
  for (const { name, pattern } of textAlertTitles) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return { system: name, groups };
  }
  return null;
}

function labelsBelow(lines: readonly ReadableLine[], from: number): { labels: Record<string, string>; to: number } {
  const labels: Record<string, string> = {};
  let to = from;
  for (const [offset, { text }] of lines.slice(from + 1, from + 1 + labelLinesMax).entries()) {
    const groups = label.exec(text)?.groups;
    if (!groups?.name || !groups.value || !(text.includes(" = ") || known.test(groups.name))) continue;
    labels[groups.name.toLowerCase().replaceAll(" ", "_")] ??= groups.value;
    to = from + 1 + offset;
  }
  return { labels, to };
}

function toAlert({ system, groups }: Title, labels: Record<string, string>): ReadAlert {
  const name = labels.alertname ?? groups.name ?? "";
  const said = [labels.summary, labels.description].filter((part) => part !== undefined).join(": ");
  return {
    system,
    name,
    status: groups.status ?? labels.status ?? labels.state ?? null,
    severity: groups.severity ?? labels.severity ?? labels.priority ?? null,
    summary: groups.summary ?? labels.reason_for_state_change ?? (said === "" ? (groups.name ?? name) : said),
    startedAt: readTime(labels.startsat ?? labels.started ?? labels.timestamp),
    labels,
  };
}
