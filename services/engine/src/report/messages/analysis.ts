import type { RepeatedRecord } from "../../findings/log-summary.ts";
import type { ErrorRelation } from "../../findings/parsed-error.ts";
import { type LogRecord, recordText } from "../../signals/inputs/record.ts";
import { capital, count, duration, inlineCode, list, onHosts, percent, sentence } from "../../words/prose.ts";

const fieldsShownMax = 6;
const testsNamedMax = 8;

/** The words of the detailed analysis. */
export const analysis = {
  titles: {
    failed: "What failed",
    chain: "How it happened",
    where: "Where",
    before: "What happened before",
    why: "What supports it",
    against: "What argues against it",
    ruledOut: "What would rule it out",
    next: "What to check next",
    writers: "Where the value is set",
    others: "Other candidates",
  },
  relation: (relation: ErrorRelation): string =>
    ({ cause: "Caused by", aggregated: "Together with", context: "While handling", suppressed: "Suppressed:" })[
      relation
    ],
  thrown: (type: string, message: string, code: string | null, test: string | null): string =>
    `${test === null ? "" : `The test ${inlineCode(test)} failed: `}${inlineCode(type)}: ${inlineCode(message)}${code === null ? "" : ` (code ${inlineCode(code)})`}`,
  otherTests: (names: readonly string[]): string => {
    const named = names.slice(0, testsNamedMax).map(inlineCode).join(", ");
    const rest = names.length > testsNamedMax ? `, and ${names.length - testsNamedMax} more` : "";
    return `${names.length === 1 ? "Another test" : "Other tests"} failed too: ${named}${rest}`;
  },
  nothing: (): string => "The text doesn't describe a failure.",
  text: (headline: string): string => `No error in a known format; the most telling line is ${inlineCode(headline)}.`,
  otherVersion: (): string => "The source that was given is of another version and doesn't have this line.",
  sourceMissing: (): string => "Its source wasn't available.",
  noLine: (): string => "Nothing in the stack or the error points to a line of it.",
  ruledOut: (clause: string): string => sentence(clause),
  /** Literals, constructors, and other programs may set it, too. */
  setAt: (field: string): string => `Code that sets a field named ${inlineCode(field)}:`,
  /** `score` is from 0 to 1. */
  other: (whats: readonly string[], score: number): string => `${whats.join(", then ")} (${percent(score)})`,
  confirmed: (clause: string): string => `Check whether ${clause}.`,
  nothingAgainst: (): string => "Nothing found.",
  lookAt: (place: string): string => `Look at ${place} too; it is about as likely.`,
  attach: (files: readonly string[]): string =>
    `Attach ${list(files.map(inlineCode))}: without the code, nothing there was checked.`,
  podLog: (command: string): string => `Read the log of the process before it ended (${inlineCode(command)}).`,
  logOf: (name: string | null, since: string | null): string =>
    `Read the log${name === null ? "" : ` of ${inlineCode(name)}`}${since === null ? "" : ` from shortly before ${since}`} for the error behind the alert.`,
  moreLog: (): string => "Paste the log from a few minutes before the failure, with the stack if there is one.",
  setting: ({ message, fields }: LogRecord): string => {
    const [line = ""] = message.split("\n", 1);
    const values = Object.entries(fields)
      .slice(0, fieldsShownMax)
      .map(([name, value]) => inlineCode(`${name}=${String(value)}`));
    return `Last line about settings or a startup: ${inlineCode(line)}${values.length === 0 ? "" : ` (${values.join(", ")})`}`;
  },
  /** `leadMs` is how long before the error the warnings began. */
  warned: ({ first, last, times, drift }: RepeatedRecord, leadMs: number | null): string => {
    const often = times > 1 ? `, ${count(times, "time")}` : "";
    const from = first.at === null ? "" : ` from ${first.at}`;
    const until = times > 1 && last.at !== null && last.at !== first.at ? ` to ${last.at}` : "";
    const lead = leadMs === null || leadMs <= 0 ? "" : `, starting ${duration(leadMs)} before the error`;
    const moved = drift?.name
      ? `; ${inlineCode(drift.name)} ${drift.to > drift.from ? "rose" : "fell"} from ${drift.from} to ${drift.to}`
      : "";
    return `${capital(recordText(first))}${often}${from}${until}${lead}${moved}`;
  },
  lastOccurrence: (): string => "the last occurrence in the log",
  pasted: (what: string): string => `pasted for analysis: ${what}`,
  firstSeen: (service: string, host: string): string => `${inlineCode(service)}${onHosts([host])} was first seen`,
  noticed: (): string => "Whence noticed that heartbeats stopped",
  exitAfter: (seconds: number): string =>
    `A process counts as ended after ${count(seconds, "second")} without a heartbeat.`,
  more: (number: number): string => `… and ${number} more.`,
} as const;
