import type { OutsideFinding } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import { isErrorLevel } from "./error-level.ts";
import { type FailureContext, failureContextOf } from "./failure-context.ts";
import { hostName, namesMachine, namesService } from "./names.ts";
import { causeOf, type OutsideCause, relate } from "./relate.ts";

/** The findings of third parties that belong to a failure, as evidence. */
export interface RelatedFindings {
  /** Changes and problems that something connects with it. */
  readonly causes: readonly Observation[];
  /** The other changes and problems of the time. */
  readonly others: readonly Observation[];
  /** Error lines that have the error's words, or name a host that couldn't be reached. */
  readonly logs: readonly Observation[];
  /** The same failure as other systems keep it. */
  readonly records: readonly Observation[];
  readonly onCall: readonly Observation[];
}

/** Sorts what third parties told by how it belongs to the failure. */
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

/** Shorter messages are in too many lines. */
const messageUnitsMin = 12;
const messageUnitsCompared = 80;
const plainTypes: ReadonlySet<string> = new Set(["Error", "TypeError", "ReferenceError", "RangeError", "SyntaxError"]);

interface ErrorWords {
  /** First lines, in lower case. */
  readonly messages: readonly string[];
  /** Of types that say something. */
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
  // Where no error is known, the errors that the service logged then are the nearest to one.
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

/** For the failing service where a schedule names it; else for everything. */
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
