import { confidenceText, type Notification } from "@whence/protocol";
import { beginnings, capital, runningNote, testNote, utcTime } from "../notifications/message-words.ts";
import { oneLine } from "../text/one-line.ts";

const subjectLengthMax = 200;
const labelWidth = 13;

type IncidentPart = NonNullable<Notification["incident"]>;

/** Words a message for someone who reads it on a phone at night: the cause comes before the facts. */
export function mailText(message: Notification): { readonly subject: string; readonly text: string } {
  const { rule, held_back_until: until } = message;
  const { subject, paragraphs } = wordingOf(message);
  const more =
    until === null
      ? []
      : [
          `This is the last mail of this rule's hourly limit. Incidents until ${utcTime(until)} are summarized in one mail after that.`,
        ];
  const why = `You're receiving this because of the notification rule "${oneLine(rule.name, subjectLengthMax)}": ${rule.url}`;
  return {
    subject: oneLine(subject, subjectLengthMax),
    text: `${[...paragraphs, ...more, why].join("\n\n")}\n`,
  };
}

interface Wording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

function wordingOf(message: Notification): Wording {
  if (message.held_back) return summary(message.held_back);
  if (message.incident) return aboutIncident(message, message.incident);
  return {
    subject: `Test of the notification rule "${message.rule.name}"`,
    paragraphs: [testNote],
  };
}

function aboutIncident({ type }: Notification, incident: IncidentPart): Wording {
  return {
    subject: `[${capital(incident.severity)}] ${beginnings[type]}${incident.title}`,
    paragraphs: [
      incident.title,
      ...(incident.root_cause ? [`Root cause: ${incident.root_cause.summary}`] : []),
      ...(incident.confidence ? [`Confidence: ${confidenceText(incident.confidence)}`] : []),
      ...(incident.first_solution ? [firstThing(incident.first_solution)] : []),
      ...(incident.failure ? [capital(incident.failure.message)] : []),
      ...runningNote(incident),
      facts(incident),
      incident.url,
    ],
  };
}

function firstThing({ title, detail }: NonNullable<IncidentPart["first_solution"]>): string {
  return detail === "" ? `Fix now: ${title}` : `Fix now: ${title}\n${detail}`;
}

function facts({ severity, service, env, since, decision }: IncidentPart): string {
  const rows: readonly (readonly [string, string | null])[] = [
    ["Severity", severity],
    ["Service", service],
    ["Environment", env],
    ["Since", utcTime(since)],
    ["Reason", decision],
  ];
  return rows
    .flatMap(([label, value]) =>
      value === null ? [] : [`${`${label}:`.padEnd(labelWidth)}${oneLine(value, subjectLengthMax)}`],
    )
    .join("\n");
}

function summary({ incidents, first }: NonNullable<Notification["held_back"]>): Wording {
  const noun = incidents === 1 ? "incident" : "incidents";
  const lines = first.map(
    ({ severity, title, service, url }) =>
      `[${capital(severity)}] ${title}${service === null ? "" : ` (${service})`}\n${url}`,
  );
  const rest = incidents - first.length;
  return {
    subject: `${incidents} ${noun} held back`,
    paragraphs: [
      `${incidents} ${noun} opened or changed during this rule's quiet hours or after its hourly limit was reached:`,
      ...lines,
      ...(rest > 0 ? [`… and ${rest} more`] : []),
    ],
  };
}
