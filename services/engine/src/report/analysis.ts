import type { Location } from "@whence/protocol";
import { lastChangeOf } from "../changes/last-change-of.ts";
import type { EventFacts } from "../findings/event-facts.ts";
import type { Findings } from "../findings/findings.ts";
import { type CodePlace, lineOf, ranAt } from "../findings/located-frame.ts";
import { summarizeLog } from "../findings/log-summary.ts";
import type { Observation } from "../findings/observation.ts";
import {
  observeAlert,
  observeBreadcrumb,
  observeCode,
  observeException,
  observeMechanism,
  observeRecord,
  observeRequest,
  observeText,
} from "../findings/observe-input.ts";
import { ofKind } from "../findings/of-kind.ts";
import type { ParsedException } from "../findings/parsed-error.ts";
import { tellingBreadcrumbs } from "../findings/request-log.ts";
import { relatedFindings } from "../outside/related-findings.ts";
import { type AnyFact, isFromModel, withShownPaths } from "../signals/fact.ts";
import { blockNameOf } from "../source/languages/languages.ts";
import { cited, codeBlock, sentence } from "../words/prose.ts";
import { saidBeside } from "../words/thrown.ts";
import { shownLinks } from "./chain.ts";
import type { Messages } from "./messages.en.ts";
import { isGiven, nextChecks, ruledOutBy } from "./next-checks.ts";
import { ownLinkOf } from "./nouns.ts";
import type { ChainedCandidate, ReportInput } from "./report-input.ts";
import { scoresOf } from "./scores.ts";
import { doubtsOf, doubtText, evidenceOfDoubt, supportOf } from "./support.ts";
import { isValueStep } from "./symptom.ts";
import { whatOf } from "./words.ts";

const breadcrumbsShown = 6;
const processesShown = 10;
const testsCitedMax = 3;
const othersShown = 3;
const linesAround = 4;
const lineUnitsMax = 240;

/**
 * Returns the analysis in Markdown: what failed and how, what supports and what contradicts that, and the alternatives.
 */
export function analysisOf(input: ReportInput): string {
  const { messages, candidates } = input;
  const { titles } = messages.analysis;
  const [first, ...others] = candidates;
  const scores = scoresOf(input.ranking);
  return [
    section(titles.failed, whatFailed(input)),
    section(titles.chain, first ? chainLines(first, input) : []),
    section(titles.where, first ? where(first, input) : []),
    section(titles.writers, writers(input)),
    section(
      titles.others,
      others.slice(0, othersShown).map((one, index) => other(one, scores[index + 1] ?? 0, messages)),
    ),
    section(titles.before, before(input)),
    section(titles.why, first ? why(first, input) : []),
    section(titles.against, first ? against(first, input) : []),
    section(titles.ruledOut, first ? ruledOut(first, input) : []),
    section(titles.next, first ? next(first, input) : []),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;
}

function item(text: string, ids: readonly string[]): string {
  return `- ${cited(sentence(text), ids)}`;
}

function shown(observation: Observation<AnyFact>, { book, messages, shown: path }: ReportInput): string {
  return item(messages.evidence(withShownPaths(observation.fact, path)), [book.cite(observation)]);
}

function whatFailed(input: ReportInput): string[] {
  const { findings, book, messages } = input;
  const { error, exit } = findings;
  if (exit)
    return findings.observations
      .filter(({ fact }) => fact.kind === "last-heartbeat")
      .slice(0, processesShown)
      .map((one) => shown(one, input));
  const chain = error.chain.flatMap((index) => error.exceptions[index] ?? []);
  const alerts = error.alert ? [shown(observeAlert(findings, error.alert), input)] : [];
  if (chain.length === 0) return alerts.length > 0 ? alerts : [textOnly(input)];
  const [head] = chain;
  const chosen =
    error.chosenBecause && head
      ? [item(messages.chosen(error.chosenBecause), [book.cite(observeException(findings, head))])]
      : [];
  return [
    ...chain.map((exception) =>
      item(describe(exception, messages), [book.cite(observeException(findings, exception))]),
    ),
    ...otherTests(input),
    ...chosen,
    ...alerts,
  ];
}

/** The tests that failed besides the one that is investigated. */
function otherTests({ findings, book, messages }: ReportInput): string[] {
  const { exceptions, chain } = findings.error;
  const own = testOf(exceptions[chain[0] ?? -1]);
  const others = exceptions.filter((one) => (testOf(one) ?? own) !== own);
  const names = [...new Set(others.flatMap((one) => testOf(one) ?? []))];
  if (names.length === 0) return [];
  return [
    item(
      messages.analysis.otherTests(names),
      others.slice(0, testsCitedMax).map((one) => book.cite(observeException(findings, one))),
    ),
  ];
}

function testOf(exception: ParsedException | undefined): string | null {
  const test = exception?.properties.test;
  return typeof test === "string" ? test : null;
}

function textOnly({ findings, book, messages }: ReportInput): string {
  const { headline } = findings.error;
  const ids = [book.cite(observeText(findings))];
  const said = /[\p{L}\p{N}]/u.test(headline) ? messages.analysis.text(headline) : messages.analysis.nothing();
  return cited(said, ids);
}

function describe(exception: ParsedException, { analysis }: Messages): string {
  const { type, message, properties, relation } = exception;
  const code = typeof properties.code === "string" && !message.includes(properties.code) ? properties.code : null;
  const thrown = analysis.thrown(
    type,
    saidBeside({ type, message }),
    code,
    relation === null ? testOf(exception) : null,
  );
  return relation === null ? thrown : `${analysis.relation(relation)} ${thrown}`;
}

function chainLines({ chain }: ChainedCandidate, { book, messages }: ReportInput): string[] {
  const links = shownLinks(chain);
  if (links.length < 2) return [];
  return links.map((link, index) => {
    const at = link.at === null ? "" : `${link.at}: `;
    const ids = link.evidence.slice(0, 2).map((one) => book.cite(one));
    return `${index + 1}. ${cited(sentence(`${at}${whatOf(link, messages)}`), ids)}`;
  });
}

function where({ candidate, location, citedIds, chain }: ChainedCandidate, input: ReportInput): string[] {
  if (!location) return [];
  const { messages, shown: path } = input;
  const isOther = isOfOtherVersion(location, input);
  const place = isOther ? null : codePlaceAt(location, candidate, chain);
  const code = place ? excerpt(place) : changeAt(location, chain);
  const said = cited(messages.place({ ...location, file: path(location.file) }), citedIds);
  const lastChange = lastChangeOf(location, input.findings);
  const last = lastChange ? ["", shown(lastChange, input)] : [];
  const values = input.locals ? ["", shown(input.locals, input)] : [];
  return [
    ...(code === null ? [`${said} ${missingText(isOther, location, input)}`] : [said, "", code]),
    ...values,
    ...last,
  ];
}

/** Returns the places that assign to the field that was missing, whichever of them is the cause. */
function writers(input: ReportInput): string[] {
  const { traced, findings, messages } = input;
  if (!traced.writers) return [];
  const { field, places } = traced.writers;
  const lines = places.map((place) => shown(observeCode(findings, place), input));
  return [messages.analysis.setAt(field), "", ...lines];
}

/** Returns why no code is shown. */
function missingText(isOther: boolean, { file, line }: Location, { findings, messages }: ReportInput): string {
  const { otherVersion, noLine, sourceMissing } = messages.analysis;
  if (isOther) return otherVersion();
  return line === null && isGiven(file, findings) ? noLine() : sourceMissing();
}

/** Returns whether a file that was given lacks the line that the stack names: another version ran. */
function isOfOtherVersion({ file, line }: Location, { findings }: ReportInput): boolean {
  return (
    isGiven(file, findings) &&
    findings.frames.some((one) => one.file === file && lineOf(one) === line && ranAt(one) === null)
  );
}

/** Returns the code at the location that the report names; null when that wasn't given, whatever other code was. */
function codePlaceAt(
  location: Location,
  { subject, frames }: ChainedCandidate["candidate"],
  chain: ChainedCandidate["chain"],
): CodePlace | null {
  const links = chain.flatMap((link) => (link.kind === "code" ? [link.args.signal.subject] : []));
  const places = [...(subject.kind === "place" ? [subject] : []), ...links].flatMap(
    ({ file, line, function: name, source }) =>
      source && line !== null ? [{ file, line, function: name, source }] : [],
  );
  const known = [...places, ...frames.flatMap(({ place }) => place ?? [])];
  return known.find(({ file, line }) => file === location.file && line === location.line) ?? null;
}

/** Returns what a release of the chain changed at the location; null when none did. */
function changeAt({ file, line }: Location, chain: ChainedCandidate["chain"]): string | null {
  const changes = chain.flatMap((link) => {
    const isThere = link.kind === "deploy" && link.location?.file === file && link.location.line === line;
    return isThere ? link.evidence.filter(({ fact }) => fact.kind === "release-change") : [];
  });
  return changes[0] ? codeBlock(changes[0].excerpt, "diff") : null;
}

/** Returns the numbered lines around a place, which is marked. */
function excerpt({ source, line, file }: CodePlace): string {
  const lines: string[] = [];
  const last = Math.min(source.lastLine, line + linesAround);
  for (let number = Math.max(source.firstLine, line - linesAround); number <= last; number++) {
    const text = source.line(number);
    const cut = text.length > lineUnitsMax ? `${text.slice(0, lineUnitsMax)}…`.toWellFormed() : text;
    lines.push(`${number === line ? ">" : " "} ${String(number).padStart(String(last).length)} | ${cut}`);
  }
  return codeBlock(lines.join("\n"), blockNameOf(file));
}

function before(input: ReportInput): string[] {
  const { findings } = input;
  const { event, exit } = findings;
  const observations = toldObservations(findings);
  if (exit)
    return observations
      .filter(({ fact }) => fact.kind !== "last-heartbeat" && fact.kind !== "exit")
      .map((one) => shown(one, input));
  if (!event) return [...logLines(input), ...observations.map((one) => shown(one, input))];
  const request = observeRequest(event);
  return [
    ...(request ? [shown(request, input)] : []),
    ...shownBreadcrumbs(event).map((index) => breadcrumbLine(event, index, input)),
    shown(observeMechanism(event), input),
    ...observations.map((one) => shown(one, input)),
  ];
}

/** Leaves out the findings of third parties that nothing relates to the failure, and since when it occurs if totals say it. */
function toldObservations(findings: Findings): readonly Observation[] {
  const since = ofKind(findings.observations, "totals").map(({ fact }) => fact.impact.first_seen);
  const isSaid = ({ fact }: Observation): boolean =>
    fact.kind === "rate" && fact.rate.shape === "first" && fact.rate.of === undefined && since.includes(fact.rate.at);
  const { causes, logs, records, onCall } = relatedFindings(findings);
  const told = new Set([...causes, ...logs, ...records, ...onCall]);
  // What a model says and quotes stands beside the candidate that it is about.
  return findings.observations.filter(
    (one) => !isFromModel(one.fact) && !isSaid(one) && (one.fact.kind !== "outside" || told.has(one)),
  );
}

function shownBreadcrumbs(event: EventFacts): number[] {
  const recent = tellingBreadcrumbs(event).slice(-breadcrumbsShown);
  const troubled = event.calls.filter(({ trouble }) => trouble !== null).map(({ index }) => index);
  return [...new Set([...troubled.slice(-breadcrumbsShown), ...recent])].toSorted((left, right) => left - right);
}

function breadcrumbLine(event: EventFacts, index: number, { book, messages }: ReportInput): string {
  const observed = observeBreadcrumb(event, index);
  if (!observed) return "";
  return `- ${cited(`${observed.observed_at}: ${messages.evidence(observed.fact)}`, [book.cite(observed)])}`;
}

/** Returns what was logged before the error: the last setting, and warnings with their count and start. */
function logLines({ findings, book, messages }: ReportInput): string[] {
  const { setting, warnings, failedAt } = summarizeLog(findings);
  const leadOf = (at: string | null): number | null =>
    at === null || failedAt === null ? null : Date.parse(failedAt) - Date.parse(at);
  return [
    ...(setting ? [item(messages.analysis.setting(setting), [book.cite(observeRecord(findings, setting))])] : []),
    ...warnings.map((warning) =>
      item(messages.analysis.warned(warning, leadOf(warning.first.at)), [
        book.cite(observeRecord(findings, warning.first)),
      ]),
    ),
  ];
}

function why({ candidate, chain }: ChainedCandidate, { findings, book, messages }: ReportInput): string[] {
  return supportOf(candidate, chain, findings, messages).map(({ text, evidence }) =>
    item(
      text,
      evidence.slice(0, 3).map((one) => book.cite(one)),
    ),
  );
}

function against({ candidate, citedIds }: ChainedCandidate, { findings, messages, book }: ReportInput): string[] {
  const doubts = doubtsOf(candidate, findings);
  if (doubts.length === 0) return [cited(messages.analysis.nothingAgainst(), citedIds)];
  return doubts.map((doubt) => {
    const shows = evidenceOfDoubt(doubt, findings);
    return item(doubtText(doubt, messages), shows ? [book.cite(shows)] : citedIds);
  });
}

function ruledOut(candidate: ChainedCandidate, input: ReportInput): string[] {
  return ruledOutBy(candidate, input).map((clause) => item(input.messages.analysis.ruledOut(clause), []));
}

function next(first: ChainedCandidate, input: ReportInput): string[] {
  return nextChecks(first, input).map((check, index) => `${index + 1}. ${check}`);
}

/** Returns what another candidate does, where its value goes next, and how likely it is. */
function other({ candidate, chain, citedIds }: ChainedCandidate, score: number, messages: Messages): string {
  const own = ownLinkOf(candidate, chain);
  const next = isValueStep(own) ? chain[chain.indexOf(own) + 1] : undefined;
  const whats = [own, ...(next ? [next] : [])].map((link) => whatOf(link, messages));
  return item(messages.analysis.other(whats, score), citedIds);
}
