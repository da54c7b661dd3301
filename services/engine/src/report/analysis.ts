import { callText } from "../call-text.ts";
import type { EvidenceBook } from "../evidence-book.ts";
import type { CodePlace, EventFacts, Findings, ParsedException, Ranked } from "../findings.ts";
import {
  observeBreadcrumb,
  observeException,
  observeMechanism,
  observeRequest,
  observeSignature,
  observeText,
} from "../observe.ts";
import { capital, citation, codeBlock, fill, inlineCode, placeText } from "../prose.ts";
import { alertLines, logLines } from "./log-lines.ts";
import { disproofs, nextLooks } from "./next-looks.ts";

const breadcrumbsShown = 6;
const othersShown = 3;
const linesAround = 4;
const lineUnitsMax = 240;

interface Cited {
  readonly candidate: Ranked;
  /** The evidence that a sentence about the candidate cites. */
  readonly ids: readonly string[];
}

/** The analysis in markdown: what failed, where, what led to it, why, what speaks against it, what else it could be. */
export function analyse(findings: Findings, cited: readonly Cited[], book: EvidenceBook): string {
  const [first, ...others] = cited;
  return [
    section("What failed", whatFailed(findings, book)),
    section("Where", first?.candidate.location ? where(first) : []),
    section("What led to it", whatLedToIt(findings, book)),
    section("Why we think so", first ? why(findings, first, book) : []),
    section("What speaks against it", first ? against(findings, first) : []),
    section("What would disprove it", first ? disproof(findings, first) : []),
    section("What to look at next", first ? next(findings, cited) : []),
    section("What else it could be", others.slice(0, othersShown).map(other)),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;
}

function whatFailed(findings: Findings, book: EvidenceBook): string[] {
  const { error } = findings;
  const chain = error.chain.flatMap((index) => error.exceptions[index] ?? []);
  const alert = alertLines(findings, book);
  if (chain.length === 0) return alert.length > 0 ? alert : [textOnly(findings, book)];
  const because = error.chosenBecause === null ? [] : [sayChoice(findings, error.chosenBecause, book)];
  return [
    ...chain.map(
      (exception) => `- ${describe(exception)} ${citation([book.cite(observeException(findings, exception))])}`,
    ),
    ...because,
    ...alert,
  ];
}

function textOnly(findings: Findings, book: EvidenceBook): string {
  const { headline } = findings.error;
  const ids = citation([book.cite(observeText(findings))]);
  return !/[\p{L}\p{N}]/u.test(headline)
    ? `The text that was given says nothing that could be read as a failure. ${ids}`
    : `No error in a known format was found; the line that tells most is ${inlineCode(headline)} ${ids}`;
}

function sayChoice(findings: Findings, because: string, book: EvidenceBook): string {
  const head = findings.error.exceptions[findings.error.chain[0] ?? -1];
  const ids = head ? citation([book.cite(observeException(findings, head))]) : "";
  return `- Of the errors in the text this one was looked into, because ${because} ${ids}`;
}

const relations = {
  cause: "caused by ",
  aggregated: "together with ",
  context: "while handling ",
  suppressed: "which hid ",
} as const;

function describe({ type, message, properties, relation }: ParsedException): string {
  const lead = relation === null ? "" : relations[relation];
  const code = properties.code;
  const shown = typeof code === "string" && !message.includes(code) ? ` (code ${inlineCode(code)})` : "";
  const said = message.startsWith(`${type}: `) ? message.slice(type.length + 2) : message;
  return `${lead}${inlineCode(type)}: ${inlineCode(said)}${shown}`;
}

function where({ candidate, ids }: Cited): string[] {
  if (!candidate.location) return [];
  const said = `${placeText(candidate.location)} ${citation(ids)}`;
  return candidate.place ? [said, "", excerpt(candidate.place)] : [`${said}. Its source was not given.`];
}

/** The lines around a place, numbered, the guilty one marked. */
function excerpt({ source, line, file }: CodePlace): string {
  const lines: string[] = [];
  const last = Math.min(source.lastLine, line + linesAround);
  for (let number = Math.max(source.firstLine, line - linesAround); number <= last; number++) {
    const text = source.line(number);
    const cut = text.length > lineUnitsMax ? `${text.slice(0, lineUnitsMax)}…`.toWellFormed() : text;
    lines.push(`${number === line ? ">" : " "} ${String(number).padStart(String(last).length)} | ${cut}`);
  }
  return codeBlock(lines.join("\n"), /\.[cm]?tsx?$/.test(file) ? "ts" : "js");
}

function whatLedToIt(findings: Findings, book: EvidenceBook): string[] {
  const { event } = findings;
  if (!event) return logLines(findings, book);
  const request = observeRequest(event);
  const recent = event.breadcrumbs.map((_, index) => index).slice(-breadcrumbsShown);
  const troubled = event.calls.filter(({ trouble }) => trouble !== null).map(({ index }) => index);
  const shown = [...new Set([...troubled.slice(-breadcrumbsShown), ...recent])].toSorted((left, right) => left - right);
  return [
    ...(request ? [`- ${request.summary} ${citation([book.cite(request)])}`] : []),
    ...shown.flatMap((index) => breadcrumbLine(event, index, book)),
    `- ${capital(observeMechanism(event).summary)} ${citation([book.cite(observeMechanism(event))])}`,
    ...findings.observations.map(
      (observation) => `- ${capital(observation.summary)} ${citation([book.cite(observation)])}`,
    ),
  ];
}

function breadcrumbLine(event: EventFacts, index: number, book: EvidenceBook): string[] {
  const said = describeBreadcrumb(event, index);
  const observed = observeBreadcrumb(event, index, said);
  const at = event.breadcrumbs[index]?.timestamp ?? "";
  return observed ? [`- ${at} ${said} ${citation([book.cite(observed)])}`] : [];
}

/** One line about a breadcrumb. */
export function describeBreadcrumb(event: EventFacts, index: number): string {
  const call = event.calls.find((one) => one.index === index);
  const breadcrumb = event.breadcrumbs[index];
  if (!call)
    return `${inlineCode(breadcrumb?.category ?? "")}: ${inlineCode(breadcrumb?.message ?? JSON.stringify(breadcrumb?.data ?? {}))}`;
  return callText(call);
}

function why(findings: Findings, { candidate, ids }: Cited, book: EvidenceBook): string[] {
  const known = findings.signatures[0];
  // What a value did on its way matters when the value is what it is about.
  const isOnWay = candidate.clue !== null && candidate.clue.how !== null;
  const path = (isOnWay ? findings.clues : [])
    .filter(({ place, how }) => how !== null && candidate.location !== null && place.file !== candidate.location.file)
    .filter((clue, index, all) => all.findIndex(({ says }) => says === clue.says) === index)
    .slice(0, 4);
  return [
    ...candidate.support.map((line) => `- ${capital(line)} ${citation(idsOfLine(line, candidate, ids, book))}`),
    ...path.map((clue) => `- On the way: ${clue.says} (${placeText(clue.place)}) ${citation(ids)}`),
    ...(known
      ? [`- ${fill(known.signature.meaning, known.groups)} ${citation([book.cite(observeSignature(findings, known))])}`]
      : []),
  ];
}

/** What a line of support rests on: the evidence that says the same, or what the candidate as a whole cites. */
function idsOfLine(line: string, candidate: Ranked, ids: readonly string[], book: EvidenceBook): readonly string[] {
  const same = candidate.evidence.filter(({ summary }) => summary === line);
  return same.length > 0 ? same.map((observation) => book.cite(observation)) : ids;
}

function against(findings: Findings, { candidate, ids }: Cited): string[] {
  const trouble = findings.event?.calls.filter(({ trouble: one }) => one !== null).length ?? 0;
  const calm =
    findings.event && trouble === 0 && findings.event.calls.length > 0
      ? ["every outgoing call before the error was answered well"]
      : [];
  const lines = [
    ...candidate.against,
    ...(candidate.category === "upstream-bad-response" || candidate.category === "dependency-outage" ? calm : []),
  ];
  return lines.length > 0
    ? lines.map((line) => `- ${capital(line)} ${citation(ids)}`)
    : [`- Nothing that was seen ${citation(ids)}. What could not be seen is listed under "not checked".`];
}

function disproof(findings: Findings, { candidate, ids }: Cited): string[] {
  return disproofs(findings, candidate).map((line) => `- It is something else when ${line} ${citation(ids)}`);
}

function next(findings: Findings, cited: readonly Cited[]): string[] {
  const [first, ...others] = cited;
  if (!first) return [];
  const looks = nextLooks(
    findings,
    first.candidate,
    others.map(({ candidate }) => candidate),
  );
  return looks.map((look, index) => `${index + 1}. ${look} ${citation(first.ids)}`);
}

function other({ candidate, ids }: Cited): string {
  const place = candidate.location ? ` (${placeText(candidate.location)})` : "";
  return `- ${candidate.statement}${candidate.statement.includes(placeText(candidate.location ?? { file: "", line: null, function: null })) ? "" : place} Score ${candidate.score.toFixed(2)}. ${citation(ids)}`;
}
