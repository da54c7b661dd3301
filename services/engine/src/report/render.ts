import type { Location, Report } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import type { Candidate, Ranking } from "../rank/candidate.ts";
import type { Traced } from "../trace/traced.ts";
import { cited, sentence } from "../words/prose.ts";
import { analysisOf } from "./analysis.ts";
import { chainOf, shownLinks } from "./chain.ts";
import type { EvidenceBook } from "./evidence-book.ts";
import { fixesOf, saidOnce } from "./fixes.ts";
import { isValueOf } from "./handed-value.ts";
import { confirmedBy, headlineOf, isTie, originOf } from "./headline.ts";
import { impactOf } from "./impact.ts";
import { isSamePlace, type Link } from "./link.ts";
import { localValuesOf } from "./local-values.ts";
import { english, type Messages } from "./messages.en.ts";
import { notChecked } from "./not-checked.ts";
import { ownLinkOf } from "./nouns.ts";
import { predict } from "./predictions.ts";
import type { ChainedCandidate, ReportInput } from "./report-input.ts";
import { scoresOf } from "./scores.ts";
import { shownPathOf } from "./shown-path.ts";
import { doubtsOf, doubtText, supportOf } from "./support.ts";
import { isHandedOn } from "./symptom.ts";
import { timelineOf } from "./timeline.ts";
import { whatOf } from "./words.ts";

/** The parts of a report that are written from the findings. */
export type Written = Omit<Report, "evidence" | "provenance" | "engine">;

/** A sentence cites the origin and the symptom; a candidate lists all of its evidence. */
const citedPerSentenceMax = 3;

/**
 * Writes a report's parts for an event, a pasted text, or a process exit. The same findings give the same words, and
 * other `messages` change only the words. Predictions start at `now`, milliseconds since 1970.
 */
export function render(
  findings: Findings,
  traced: Traced,
  ranking: Ranking,
  book: EvidenceBook,
  now: number,
  messages: Messages = english,
): Written {
  const shown = shownPathOf(findings);
  const sources = { findings, traced, shown };
  const candidates = ranking.candidates.map((candidate) =>
    chainedCandidate(candidate, chainOf(candidate, sources), book),
  );
  const locals = localValuesOf(findings, traced);
  const input: ReportInput = { findings, traced, ranking, candidates, locals, book, messages, shown, now };
  const [first] = candidates;
  const fixes = fixesOf(input);
  const headline = headlineOf(input, headlineIds(first, findings, book));
  const { now: doNow, later } = saidOnce(fixes, headline, input);
  return {
    root_cause_summary: headline,
    chain: shownLinks(first?.chain ?? []).map((link) => writtenLink(link, book, messages)),
    root_cause: rootCause(first, input),
    candidates: candidates.map((one, index) => writtenCandidate(one, index, input)),
    detailed_analysis: analysisOf(input),
    short_term_solutions: doNow,
    long_term_solutions: later,
    timeline: timelineOf(input),
    impact: impactOf(findings, messages),
    confidence: confidenceOf(input),
    predictions: predict(input),
    not_checked: notChecked(findings, traced, messages),
  };
}

function chainedCandidate(candidate: Candidate, chain: readonly Link[], book: EvidenceBook): ChainedCandidate {
  const ids = chain.map(({ evidence }) => evidence.map((one) => book.cite(one)));
  const more = [...candidate.observations, ...(candidate.quoted ?? [])].map((one) => book.cite(one));
  const ends = [ids[0]?.[0], ids.at(-1)?.[0], ids[0]?.[1]].filter((id) => id !== undefined);
  return {
    candidate,
    chain,
    location: locationOf(candidate, chain),
    ids: [...new Set([...ids.flat(), ...more])],
    citedIds: [...new Set(ends)].slice(0, citedPerSentenceMax),
  };
}

/** A headline cites the evidence of its first part. */
function headlineIds(first: ChainedCandidate | undefined, findings: Findings, book: EvidenceBook): readonly string[] {
  const seen = first && confirmedBy(first.candidate, findings);
  const shown = seen ? [seen] : (originOf(first?.chain ?? [])?.evidence ?? []);
  return shown.map((one) => book.cite(one));
}

/**
 * Returns the place to change: the candidate's own, or the start of its part of the chain; for a dependency, the place
 * of the call.
 */
function locationOf({ subject, service }: Candidate, chain: readonly Link[]): Location | null {
  if (subject.kind === "place") return { file: subject.file, line: subject.line, function: subject.function };
  const isOf = (link: Link): boolean => subject.kind === "dependency" || link.service === service;
  return chain.find((link) => link.location !== null && isOf(link))?.location ?? null;
}

function writtenLink(link: Link, book: EvidenceBook, messages: Messages): Report["chain"][number] {
  const { location, service, release, at, evidence } = link;
  return {
    what: whatOf(link, messages),
    ...(location === null ? {} : { location }),
    ...(service === null ? {} : { service }),
    ...(release === null ? {} : { release }),
    ...(at === null ? {} : { at }),
    evidence_ids: [...new Set(evidence.map((one) => book.cite(one)))],
  };
}

/** Returns the service to act in; for a dependency without a known service, the one that calls it. */
function serviceOf({ subject, service }: Candidate, { event }: Findings): string | null {
  return service ?? (subject.kind === "dependency" ? (event?.service ?? null) : null);
}

function rootCause(first: ChainedCandidate | undefined, input: ReportInput): Report["root_cause"] {
  const { messages } = input;
  return {
    category: first?.candidate.category ?? "unknown",
    statement: first ? cited(statementOf(first, messages), first.citedIds) : "",
    location: first?.location ?? null,
    service: first ? serviceOf(first.candidate, input.findings) : null,
  };
}

/**
 * Returns what is wrong. A place that only hands a value on is said together with what failed for the value, unless that
 * was said of the first candidate (`told`).
 */
function statementOf({ candidate, chain }: ChainedCandidate, messages: Messages, told: string | null = null): string {
  const own = ownLinkOf(candidate, chain);
  const last = chain.at(-1) ?? own;
  if (!isHandedOn(own) || last === own) return sentence(whatOf(own, messages));
  const failed = whatOf(last, messages);
  if (isSamePlace(own, last)) return sentence(failed);
  const { signal, place } = own.args;
  return sentence(messages.comesFrom(failed === told ? null : failed, isValueOf(own, last), signal.args.code, place));
}

function writtenCandidate(
  chained: ChainedCandidate,
  index: number,
  { findings, messages, ranking, candidates: [first] }: ReportInput,
): Report["candidates"][number] {
  const { candidate, chain, location, ids } = chained;
  const symptom = index === 0 || !first ? undefined : unmarkedEnd(first.chain);
  const verdict = findings.verdicts?.about(candidate.subject);
  return {
    rank: index + 1,
    category: candidate.category,
    statement: statementOf(chained, messages, symptom && whatOf(symptom, messages)),
    location,
    service: serviceOf(candidate, findings),
    score: scoresOf(ranking)[index] ?? 0,
    evidence_ids: [...ids],
    support: supportOf(candidate, chain, findings, messages).map(({ text }) => text),
    against: doubtsOf(candidate, findings).map((doubt) => doubtText(doubt, messages)),
    ...(verdict && { seen: verdict.seen }),
  };
}

/** Returns the last link as it is without the links before it, as other candidates state it. */
function unmarkedEnd(chain: readonly Link[]): Link | undefined {
  const last = chain.at(-1);
  if (last?.kind !== "failure") return last;
  const { isCaller: _, ...args } = last.args;
  return { ...last, args };
}

function confidenceOf(input: ReportInput): Report["confidence"] {
  const { confidence } = input.ranking;
  const { confidence: words } = input.messages;
  const { score, modelScore } = confidence;
  const said = [
    words.basis(confidence),
    ...(confidence.isContested ? [words.contested()] : []),
    ...(confidence.isForgeable ? [words.forgeable()] : []),
    ...(isTie(input) ? [words.tie()] : []),
    words.agreement(confidence),
    words.history(confidence),
  ];
  return {
    score,
    basis: said.filter((text) => text !== "").join(" "),
    ...(modelScore === score ? {} : { model_score: modelScore }),
  };
}
