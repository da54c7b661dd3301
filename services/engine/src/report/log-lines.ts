import type { EvidenceBook } from "../evidence-book.ts";
import type { Alert, Findings, LogRecord } from "../findings.ts";
import { logStoryOf, type RepeatedRecord } from "../log-story.ts";
import { firstLine, observeAlert, observeRecord } from "../observe.ts";
import { capital, citation, inlineCode } from "../prose.ts";

/** What was logged before the error: the last setting, and warnings with how often and since when. */
export function logLines(findings: Findings, book: EvidenceBook): string[] {
  const { setting, warnings, failedAt } = logStoryOf(findings);
  const line = (record: LogRecord, said: string, time: string): string =>
    `- ${capital(said)}${time} ${citation([book.cite(observeRecord(findings, record, said))])}`;
  const warned = warnings.map((warning) => {
    const { first } = warning;
    const lead = first.at !== null && failedAt !== null ? Date.parse(failedAt) - Date.parse(first.at) : 0;
    const since = lead > 0 ? `, ${sayDuration(lead)} before the error` : "";
    return line(first, sayRepeated(warning), first.at === null ? "" : `; first at ${first.at}${since}`);
  });
  const told = setting ? [line(setting, saySetting(setting), setting.at === null ? "" : `, at ${setting.at}`)] : [];
  return [...told, ...warned];
}

const fieldsShownMax = 6;

/** What was last said about a setting, a start or a release. */
export function saySetting({ message, fields }: LogRecord): string {
  const shown = Object.entries(fields).slice(0, fieldsShownMax);
  const values = shown.map(([name, value]) => inlineCode(`${name}=${String(value)}`)).join(", ");
  const said = `the last line about a setting or a start: ${inlineCode(firstLine(message))}`;
  return values === "" ? said : `${said} (${values})`;
}

/** Warnings that say the same: how often, until when, and which number moved. */
export function sayRepeated({ first, last, times, drift }: RepeatedRecord): string {
  const often = times > 1 ? ` ${times} times` : "";
  const until = times > 1 && last.at !== null && last.at !== first.at ? ` until ${last.at}` : "";
  const name = drift?.name ? inlineCode(drift.name) : "the number in it";
  const moved = drift ? `; ${name} ${drift.to > drift.from ? "rose" : "fell"} from ${drift.from} to ${drift.to}` : "";
  return `${inlineCode(firstLine(first.message))} was logged${often}${until}${moved}`;
}

/** `40 s`, `12 min`, `3 h`: in the unit that a person would use. */
export function sayDuration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}

/** What the monitoring says: the alert, and what it is about. */
export function alertLines(findings: Findings, book: EvidenceBook): string[] {
  const { alert } = findings.error;
  if (!alert) return [];
  const ids = citation([book.cite(observeAlert(findings, alert))]);
  const about = concerns(alert);
  return [`- ${sayAlert(alert)} ${ids}`, ...(about === "" ? [] : [`- It is about ${about} ${ids}`])];
}

/** What an alert says, since when, and how severe it is. */
export function sayAlert({ system, name, status, severity, summary, startedAt }: Alert): string {
  const marks = [status, severity].flatMap((mark) => (mark === null ? [] : [mark.toLowerCase()]));
  const marked = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  const since = startedAt === null ? "" : ` since ${startedAt}`;
  const says = summary === name || summary === "" ? "" : `: ${inlineCode(summary)}`;
  return `${system} reports ${inlineCode(name)}${marked}${since}${says}`;
}

/** Labels that say what an alert is about, the widest first. */
const subjects = [
  "service",
  "app",
  "job",
  "deployment",
  "container",
  "pod",
  "namespace",
  "cluster",
  "host",
  "instance",
  "node",
  "region",
] as const;

function concerns({ labels }: Alert): string {
  return subjects
    .flatMap((name) => (labels[name] === undefined ? [] : [`${name} ${inlineCode(labels[name])}`]))
    .join(", ");
}
