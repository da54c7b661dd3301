import type { LogRecord } from "../signals/inputs/record.ts";
import { isAdvisory } from "./advisory.ts";
import type { ParsedInput } from "./findings.ts";
import type { ParsedException } from "./parsed-error.ts";
import { isOfEveryRequest } from "./request-log.ts";

/** What the log shows besides the error. */
export interface LogSummary {
  /** The record that the error was logged with, or the worst one of a log without an error. */
  readonly failure: LogRecord | null;
  /** When that record was logged first, and last; null when the log doesn't say. */
  readonly failedAt: string | null;
  readonly lastFailedAt: string | null;
  /** How many records say the same. */
  readonly failures: number;
  /** Earlier warnings and errors, grouped when they differ only in numbers, in the order of first occurrence. */
  readonly warnings: readonly RepeatedRecord[];
  /** The last earlier line about configuration, startup, or a release. */
  readonly setting: LogRecord | null;
}

/** Records that differ only in numbers. */
export interface RepeatedRecord {
  readonly first: LogRecord;
  readonly last: LogRecord;
  readonly times: number;
  /** A number in them that only rose or only fell from the first record to the last. */
  readonly drift: { readonly name: string; readonly from: number; readonly to: number } | null;
}

/** Words in lines about configuration or changes. */
const settingLine =
  /\b(?:config(?:uration)?|settings?|feature.?flags?|environment|releases?d?|deploy(?:ed|ing|ment)?|rollout|version|migrat(?:ed|ion|ions|ing)|reload(?:ed|ing)?)\b/i;
const startLine = /\b(?:restart(?:ed|ing)?|start(?:ed|ing)|booted|listening|connected)\b/i;
const keyUnitsMax = 160;
/** Two values don't make a trend. */
const driftFrom = 3;
/** How many groups of warnings are reported. */
const warningsMax = 6;

/** Reads the log around the chosen error. Linear in the number of records. */
export function summarizeLog({ error }: Pick<ParsedInput, "error">): LogSummary {
  const { records, exceptions, chain } = error;
  const head = exceptions[chain[0] ?? -1] ?? null;
  const failure = failureOf(records, head);
  const at = failure ? records.indexOf(failure) : records.length;
  const same = failure ? records.filter((record) => keyOf(record) === keyOf(failure)) : [];
  const times = same.flatMap(({ at: time }) => time ?? []);
  const before = records.slice(0, at).filter((record) => !same.includes(record) && !isAdvisory(record));
  return {
    failure,
    failedAt: times[0] ?? null,
    lastFailedAt: times.at(-1) ?? null,
    failures: Math.max(same.length, head?.repeats ?? 0),
    warnings: repeated(before.filter(isWorrying)).slice(-warningsMax),
    setting: lastSaying(before, settingLine) ?? lastSaying(before, startLine),
  };
}

function lastSaying(records: readonly LogRecord[], pattern: RegExp): LogRecord | null {
  return (
    records.findLast(
      (record) =>
        !isWorrying(record) && pattern.test(record.message.slice(0, keyUnitsMax)) && !isOfEveryRequest(record.message),
    ) ?? null
  );
}

/** Returns the record that holds the error; without an error, the first of the most severe records. */
function failureOf(records: readonly LogRecord[], head: ParsedException | null): LogRecord | null {
  if (head) {
    const { start, end } = head.printed;
    return records.find(({ printed }) => printed.start < end && start < printed.end) ?? null;
  }
  const levels = ["fatal", "error", "warn"] as const;
  return (
    levels
      .map((level) => records.find((record) => record.level === level && !isAdvisory(record)))
      .find((one) => one !== undefined) ?? null
  );
}

function isWorrying({ level }: LogRecord): boolean {
  return level === "warn" || level === "error" || level === "fatal";
}

/** Ignores numbers. */
function keyOf({ logger, message }: LogRecord): string {
  const [line = ""] = message.slice(0, keyUnitsMax).split("\n", 1);
  return `${logger ?? ""} ${line.replace(/\d+(?:\.\d+)?/g, "#")}`;
}

function repeated(records: readonly LogRecord[]): RepeatedRecord[] {
  return [...Map.groupBy(records, keyOf).values()].flatMap((group) => {
    const [first] = group;
    const last = group.at(-1);
    return first && last ? [{ first, last, times: group.length, drift: driftOf(group) }] : [];
  });
}

function driftOf(group: readonly LogRecord[]): RepeatedRecord["drift"] {
  const [first] = group;
  if (!first || group.length < driftFrom) return null;
  const series = [...Object.keys(first.fields), ""].flatMap((name) => {
    const values = group.map((record) => (name === "" ? numberIn(record.message) : record.fields[name]));
    const numbers = values.filter((value) => typeof value === "number");
    return numbers.length === values.length ? [{ name, numbers }] : [];
  });
  for (const { name, numbers } of series) {
    const [from = 0] = numbers;
    const to = numbers.at(-1) ?? 0;
    const isOneWay = (rises: boolean): boolean =>
      numbers.every(
        (value, index) =>
          index === 0 || (rises ? value >= (numbers[index - 1] ?? 0) : value <= (numbers[index - 1] ?? 0)),
      );
    if (from !== to && isOneWay(to > from)) return { name, from, to };
  }
  return null;
}

/** Returns the only number in a message. */
function numberIn(message: string): number | null {
  const found = message.slice(0, keyUnitsMax).match(/\d+(?:\.\d+)?/g) ?? [];
  return found.length === 1 ? Number(found[0]) : null;
}
