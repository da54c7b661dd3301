import { confidenceText, type Notification } from "@whence/protocol";
import { oneLine } from "../text/one-line.ts";
import { beginnings, capital, labels, runningNote, solutionText, testNote, utcTime } from "./message-words.ts";

/** A message in the parts that chats and pagers have, the cause first, because it is read on a phone. */
export interface Brief {
  readonly headline: string;
  /** Null for no label. */
  readonly paragraphs: readonly { readonly label: string | null; readonly text: string }[];
  /** The incidents that a summary names. */
  readonly listed: readonly { readonly text: string; readonly url: string }[];
  /** Facts for a small line. */
  readonly facts: readonly string[];
  readonly link: { readonly text: string; readonly url: string };
}

type IncidentPart = NonNullable<Notification["incident"]>;
type Paragraph = Brief["paragraphs"][number];

/** Words a message in brief; no text is longer than `lengthMax` characters. */
export function briefOf(message: Notification, lengthMax: number): Brief {
  const { headline, paragraphs, listed, facts, link } = wordingOf(message);
  const { rule, held_back_until: until } = message;
  const more =
    until === null
      ? []
      : [`Last message of this rule's hourly limit: incidents until ${utcTime(until)} are summarized after that`];
  return {
    headline: oneLine(headline, lengthMax),
    paragraphs: paragraphs.map(({ label, text }) => ({ label, text: oneLine(text, lengthMax) })),
    listed: listed.map(({ text, url }) => ({ text: oneLine(text, lengthMax), url })),
    facts: [...facts, ...more, `Rule: ${rule.name}`].map((fact) => oneLine(fact, lengthMax)),
    link,
  };
}

function wordingOf(message: Notification): Brief {
  const { incident, held_back: heldBack, rule } = message;
  if (heldBack) return summary(heldBack, rule.url);
  if (incident) return aboutIncident(message.type, incident);
  return {
    headline: `Test of the notification rule "${rule.name}"`,
    listed: [],
    facts: [],
    paragraphs: [{ label: null, text: testNote }],
    link: { text: "Open the rule", url: rule.url },
  };
}

function aboutIncident(type: Notification["type"], incident: IncidentPart): Brief {
  const { title, severity, service, env, since, url, root_cause: cause } = incident;
  return {
    headline: `${beginnings[type]}${cause ? cause.summary : title}`,
    paragraphs: [
      ...(cause ? [{ label: labels.error, text: title }] : []),
      ...reportParagraphs(incident),
      ...(incident.failure ? [{ label: labels.failed, text: incident.failure.message }] : []),
      ...runningNote(incident).map((text) => ({ label: null, text })),
    ],
    listed: [],
    facts: [`${capital(severity)} severity`, service, env, `since ${utcTime(since)}`].filter((fact) => fact !== null),
    link: { text: labels.open, url },
  };
}

function reportParagraphs({ origin, confidence, first_solution: first }: IncidentPart): Paragraph[] {
  const place = origin?.service ? ` (${origin.service})` : "";
  return [
    ...(origin ? [{ label: "Origin", text: `${origin.what}${place}` }] : []),
    ...(confidence ? [{ label: labels.confidence, text: confidenceText(confidence) }] : []),
    ...(first ? [{ label: labels.fix, text: solutionText(first) }] : []),
  ];
}

function summary({ incidents, first }: NonNullable<Notification["held_back"]>, url: string): Brief {
  const rest = incidents - first.length;
  return {
    headline: `${incidents} ${incidents === 1 ? "incident" : "incidents"} held back`,
    paragraphs: [
      { label: null, text: "Opened or changed during this rule's quiet hours or after its hourly limit was reached." },
      ...(rest > 0 ? [{ label: null, text: `The first ${first.length} are listed, and ${rest} more aren't.` }] : []),
    ],
    listed: first.map(({ severity, title, service, url: incidentUrl }) => ({
      text: `${capital(severity)}: ${title}${service === null ? "" : ` (${service})`}`,
      url: incidentUrl,
    })),
    facts: [],
    link: { text: "Open the rule", url },
  };
}
