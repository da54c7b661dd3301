import type { OutsideFinding } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import { isErrorLevel } from "./error-level.ts";
import { type FailureContext, failureContextOf } from "./failure-context.ts";
import { hostName, namesMachine, namesService } from "./names.ts";
import { causeOf, type OutsideCause, relate } from "./relate.ts";

/** The findings of third parties that are related to a failure, as evidence. */
export interface RelatedFindings {
  /** Related changes and problems. */
  readonly causes: readonly Observation[];
  /** Other changes and problems in the same period. */
  readonly others: readonly Observation[];
  /** Error lines that contain the error's words, or name a host that couldn't be reached. */
  readonly logs: readonly Observation[];
  /** The same failure as recorded by other systems. */
  readonly records: readonly Observation[];
  readonly onCall: readonly Observation[];
}

/** Sorts the findings of third parties by their relation to the failure. */
export function relatedFindings(findings: Findings): RelatedFindings {
  const context = failureContextOf(findings);
  const words = wordsOfError(findings);
  const isCause = (observation: Observation): boolean => isRelatedCause(causeOf(observation), context);
  const outside = findings.observations.filter(({ fact }) => fact.kind === "outside");
  const ofKind = (kind: OutsideFinding["kind"]): Observation[] =>
    outside.filter((one) => findingOf(one)?.kind === kind);
  const causes = outside.filter((one) => causeOf(one) !== null);
  const records = ofKind("record");
  return {
    causes: causes.filter(isCause),
    others: causes.filter((one) => !isCause(one)),
    logs: ofKind("log").filter((one) => isNamingLog(findingOf(one), words, context)),
    records: records.filter((one) => isSameFailure(findingOf(one), words, context)),
    onCall: onCallOf(records, context),
  };
}

function findingOf({ fact }: Observation): OutsideFinding | null {
  return fact.kind === "outside" ? fact.outside : null;
}

function isRelatedCause(cause: OutsideCause | null, context: FailureContext): boolean {
  return cause !== null && relate(cause, context) !== null;
}

/** Shorter messages match too many lines. */
const messageUnitsMin = 12;
const messageUnitsCompared = 80;
const plainTypes: ReadonlySet<string> = new Set(["Error", "TypeError", "ReferenceError", "RangeError", "SyntaxError"]);

interface ErrorWords {
  /** First lines, in lowercase. */
  readonly messages: readonly string[];
  /** The types that are specific enough. */
  readonly types: readonly string[];
}

function wordsOfError({ error }: Findings): ErrorWords {
  const chain = error.chain.flatMap((index) => error.exceptions[index] ?? []);
  const firstLines = chain.map(({ message }) => (message.split("\n", 1)[0] ?? "").slice(0, messageUnitsCompared));
  return {
    messages: firstLines.map((line) => line.trim().toLowerCase()).filter((line) => line.length >= messageUnitsMin),
    types: chain.map(({ type }) => type).filter((type) => type !== "" && !plainTypes.has(type)),
  };
}

function hasWords(text: string, { messages, types }: ErrorWords): boolean {
  const lower = text.toLowerCase();
  if (messages.some((message) => lower.includes(message))) return true;
  return types.some((type) => text.split(/[^\w$.]+/).includes(type));
}

function isNamingLog(finding: OutsideFinding | null, words: ErrorWords, context: FailureContext): boolean {
  if (finding?.kind !== "log" || !isErrorLevel(finding.level)) return false;
  const failed = context.called.filter(({ hasFailed }) => hasFailed).flatMap(({ host }) => host ?? []);
  const lower = finding.message.toLowerCase();
  // When no error is known, errors that the service logged at that time are the closest thing.
  if (context.isAnnounced && finding.source !== null && !isOfAnother(finding.source, context)) return true;
  return hasWords(finding.message, words) || failed.some((host) => lower.includes(hostName(host)));
}

function isSameFailure(finding: OutsideFinding | null, words: ErrorWords, context: FailureContext): boolean {
  if (finding?.kind !== "record" || finding.what === "on-call") return false;
  if (finding.target !== null && isOfAnother(finding.target, context)) return false;
  return hasWords(finding.title, words);
}

function isOfAnother(target: string, { service, env, hosts }: FailureContext): boolean {
  const isOwn = service === null || namesService(target, service, env);
  return !isOwn && !hosts.some((host) => namesMachine(target, host));
}

/** Keeps the schedules that name the failing service, or else all of them. */
function onCallOf(records: readonly Observation[], context: FailureContext): Observation[] {
  const all = records.filter((one) => {
    const finding = findingOf(one);
    return finding?.kind === "record" && finding.what === "on-call";
  });
  const own = all.filter((one) => {
    const finding = findingOf(one);
    return finding?.kind === "record" && finding.target !== null && !isOfAnother(finding.target, context);
  });
  return own.length > 0 ? own : all;
}
