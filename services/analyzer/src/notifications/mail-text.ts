import type { Notification } from "@whence/protocol";
import { oneLine } from "./one-line.ts";

const subjectLengthMax = 200;
const labelWidth = 13;

type ToldIncident = NonNullable<Notification["incident"]>;

/** A message in words: what a person reads on a phone at night, the cause before the facts. */
export function mailText(message: Notification): { readonly subject: string; readonly text: string } {
  const { rule, held_back_until: until } = message;
  const { subject, paragraphs } = said(message);
  const more =
    until === null
      ? []
      : [`The hour has no room for more: until ${time(until)} incidents are held back, and then told in one mail.`];
  const why = `You get this by the notification rule "${oneLine(rule.name, subjectLengthMax)}": ${rule.url}`;
  return {
    subject: oneLine(subject, subjectLengthMax),
    text: `${[...paragraphs, ...more, why].join("\n\n")}\n`,
  };
}

interface Said {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

function said(message: Notification): Said {
  if (message.held_back) return summary(message.held_back);
  if (message.incident) return told(message, message.incident);
  return {
    subject: `Test of the notification rule "${message.rule.name}"`,
    paragraphs: ["This is how an incident would have come to you. Nothing has happened."],
  };
}

const beginnings: Readonly<Record<Notification["type"], string>> = {
  ...{ opened: "", returned: "Back again: ", completed: "", corrected: "Cause corrected: ", failed: "Not explained: " },
  ...{ summary: "", test: "" },
};

function told({ type }: Notification, incident: ToldIncident): Said {
  return {
    subject: `[${capital(incident.severity)}] ${beginnings[type]}${incident.title}`,
    paragraphs: [
      incident.title,
      ...(incident.root_cause ? [`Root cause: ${incident.root_cause.summary}`] : []),
      ...(incident.confidence ? [confidence(incident.confidence)] : []),
      ...(incident.first_solution ? [firstThing(incident.first_solution)] : []),
      ...(incident.failure ? [`The investigation failed: ${incident.failure.message}`] : []),
      ...(incident.status === "queued" || incident.status === "investigating" ? ["It is being investigated."] : []),
      facts(incident),
      incident.url,
    ],
  };
}

function confidence({ score, basis }: NonNullable<ToldIncident["confidence"]>): string {
  return `Confidence: ${Math.round(score * 100)} %.${basis === "" ? "" : ` ${basis}`}`;
}

function firstThing({ title, detail }: NonNullable<ToldIncident["first_solution"]>): string {
  return detail === "" ? `First: ${title}` : `First: ${title}\n${detail}`;
}

function facts({ severity, service, env, since, decision }: ToldIncident): string {
  const rows: readonly (readonly [string, string | null])[] = [
    ["Severity", severity],
    ["Service", service],
    ["Environment", env],
    ["Since", time(since)],
    ["Reason", decision],
  ];
  return rows
    .flatMap(([label, value]) =>
      value === null ? [] : [`${`${label}:`.padEnd(labelWidth)}${oneLine(value, subjectLengthMax)}`],
    )
    .join("\n");
}

function summary({ incidents, first }: NonNullable<Notification["held_back"]>): Said {
  const noun = incidents === 1 ? "incident" : "incidents";
  const lines = first.map(
    ({ severity, title, service, url }) =>
      `[${capital(severity)}] ${title}${service === null ? "" : ` (${service})`}\n${url}`,
  );
  const rest = incidents - first.length;
  return {
    subject: `${incidents} more ${noun} within the hour`,
    paragraphs: [
      `${incidents} ${noun} had no room among the mails of the hour:`,
      ...lines,
      ...(rest > 0 ? [`… and ${rest} more`] : []),
    ],
  };
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** `2026-03-01 12:00:00 UTC`: a mail does not know where its reader is. */
function time(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
