import type { Check } from "./delivery.ts";
import { type Fate, leaving, type NearMiss } from "./verdict.ts";

/** Everything that the doctor found. */
export interface Report {
  readonly checks: readonly Check[];
  readonly canaries: readonly Fate[];
  readonly near_misses: readonly NearMiss[];
}

/** 0: no problems found; 1: problems found; 2 is reserved for a doctor that could not run. */
export function exitCodeOf({ checks, canaries, near_misses }: Report): 0 | 1 {
  const isFine =
    checks.every(({ outcome }) => outcome === "ok") &&
    leaving(canaries, "header").length === 0 &&
    near_misses.length === 0;
  return isFine ? 0 : 1;
}

const marks = { ok: ["✓", 32], warning: ["!", 33], failed: ["✗", 31] } as const;
const indent = "    ";

/** Returns the report as text. */
export function printed(report: Report, hasColor: boolean): string {
  const mark = (outcome: Check["outcome"]): string => {
    const [sign, color] = marks[outcome];
    return hasColor ? `\x1b[${color}m${sign}\x1b[0m` : sign;
  };
  const headers = leaving(report.canaries, "header");
  const fields = [
    ...new Set(
      (["property", "attribute", "breadcrumb"] as const).flatMap((channel) =>
        leaving(report.canaries, channel).map(({ name }) => name),
      ),
    ),
  ];
  return [
    "Delivery",
    ...report.checks.map(({ name, outcome, detail }) => `  ${mark(outcome)} ${name}: ${detail}`),
    "",
    "What stays in the process",
    ...wrapped(report.canaries.filter(({ leaves }) => !leaves).map(label)),
    "",
    "What would leave the process unchanged",
    ...wrapped(
      [
        ...leaving(report.canaries, "text"),
        ...leaving(report.canaries, "url"),
        ...leaving(report.canaries, "process"),
      ].map(label),
    ),
    `${indent}These are free text: use beforeSend to change them.`,
    ...(headers.length === 0
      ? [`  ${mark("ok")} no credential header would leave`]
      : [
          `  ${mark("warning")} ${headers.length} credential headers: set redact: [...credentialHeaders]`,
          ...wrapped(headers.map(({ name }) => name)),
        ]),
    ...(fields.length === 0
      ? []
      : ['  fields with these names, if your program has them: set redact: ["name", …]', ...wrapped(fields)]),
    ...(report.near_misses.length === 0
      ? []
      : [
          `  ${mark("warning")} fields of your program that sound like secrets: set redact: [${report.near_misses.map(({ name }) => JSON.stringify(name)).join(", ")}]`,
          ...report.near_misses.map(({ path }) => `${indent}${path}`),
        ]),
    "",
  ].join("\n");
}

function label({ channel, name }: Fate): string {
  return ["text", "url", "process"].includes(channel) ? name : `${channel} ${name}`;
}

/** Joins words into lines of at most 100 characters. */
function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length + 2 <= 100) lines[lines.length - 1] = `${line}, ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}
