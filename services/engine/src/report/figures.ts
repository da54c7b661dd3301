import type { Findings } from "../findings/findings.ts";
import { summarizeLog } from "../findings/log-summary.ts";
import { failureContextOf } from "../outside/failure-context.ts";
import { type AnyFact, computedFigures } from "../signals/fact.ts";
import { duration, percent } from "../words/prose.ts";
import { answeredSince, extentOf } from "./extent.ts";

/** An RFC 3339 time. */
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
/** A number on its own, or before a unit. */
const number = /(?<![\w.:/-])\d+(?:\.\d+)?(?![\w:/-]|\.\d)/g;
const codeSpan = /(`+)[^`](?:.*?[^`])?\1(?!`)/g;
const citations = /\[e\d+(?:, ?e\d+)*\]/g;

/** Returns the times and numbers in a sentence, except those in code and citations. */
export function figuresIn(sentence: string): string[] {
  const prose = sentence
    .replace(codeSpan, " ")
    .replace(citations, " ")
    .replace(/^\d+\. /, "");
  const numbers = prose.replace(time, " ").replace(/%/g, " ").match(number) ?? [];
  return [...(prose.match(time) ?? []), ...numbers.map(plainNumber)];
}

/** Returns all times and numbers in a text, including those in code. */
export function figuresOfText(text: string): string[] {
  const numbers = text.replace(time, " ").match(/\d+(?:\.\d+)?/g) ?? [];
  return [...(text.match(time) ?? []), ...numbers.map(plainNumber)];
}

function plainNumber(text: string): string {
  return String(Number(text));
}

/** Returns what can be computed from a fact: shares, time spans, sums. */
export function figuresOfFact(fact: AnyFact): string[] {
  return figuresOfText(computedFigures(fact).join(" "));
}

/** Returns how long before the failure third parties saw something change. */
function leadsOf(findings: Findings): string[] {
  const { firstAt } = failureContextOf(findings);
  return findings.observations.flatMap(({ fact }) =>
    fact.kind === "outside" && fact.outside.kind === "change-event"
      ? [duration(Math.abs(firstAt - Date.parse(fact.outside.at)))]
      : [],
  );
}

/**
 * Returns what can be counted in the input as a whole: errors, repeated log lines, requests since the first failure.
 */
export function figuresOfFindings(findings: Findings): string[] {
  const { error, exit, observations } = findings;
  const { failures, warnings, failedAt, lastFailedAt } = summarizeLog(findings);
  const heads = error.exceptions.filter(({ parent }) => parent === null).length;
  const { firstSeen, events } = extentOf(findings);
  const answered = answeredSince(findings, firstSeen);
  const shares = answered
    ? [answered.requests, answered.failed, percent(answered.failed / answered.requests), answered.since]
    : [];
  const warned = warnings.flatMap(({ first, last, times, drift }) => [
    ...(drift ? [times, drift.from, drift.to] : [times]),
    ...[first.at, last.at].filter((at) => at !== null),
    ...(first.at === null || failedAt === null
      ? []
      : [duration(Math.abs(Date.parse(failedAt) - Date.parse(first.at)))]),
  ]);
  const hosts = observations.flatMap(({ fact }) => (fact.kind === "totals" ? [fact.impact.hosts.length] : []));
  const exited = exit
    ? [exit.processes.length, exit.othersReporting ?? 0, exit.noticedAt, Math.round(exit.exitAfterMs / 1_000)]
    : [];
  const known = findings.signatures.map(({ signature }) => signature.meaning);
  const counted = [
    ...known,
    ...leadsOf(findings),
    heads - 1,
    failures,
    events ?? 0,
    ...shares,
    ...warned,
    ...hosts,
    ...exited,
  ];
  // As they are written, whatever form the log has them in.
  const times = [firstSeen, failedAt, lastFailedAt].filter((at) => at !== null);
  return [...figuresOfText(counted.join(" ")), ...times];
}
