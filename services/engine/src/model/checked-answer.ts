import type { Report } from "@whence/protocol";
import { dropReasons } from "../signals/gaps/model-statements-dropped.ts";
import type { AnswerCitation, AnswerStatement } from "./answer-statement.ts";
import { agreesOnCause, hasOnlyMeasuredShares } from "./engine-verdict.ts";
import { saysOnly } from "./proven-words.ts";
import { flat, tellingQuote } from "./quotes.ts";

/** Why a statement of an answer isn't used, as clauses after their number. */
export const answerDropReasons = {
  "no-citation": dropReasons["no-citation"],
  "quote-missing": dropReasons["quote-missing"],
  "words-unproven": dropReasons["words-unproven"],
  "another-cause": "names another cause than the report",
  "another-confidence": "states a percentage that wasn't measured",
} as const;

/** Why a statement of an answer isn't used. */
export type AnswerDropReason = keyof typeof answerDropReasons;

/** The statements of an answer that hold, with the quotes that were found, and why others don't. */
export interface CheckedAnswer {
  readonly statements: readonly AnswerStatement[];
  readonly dropped: readonly AnswerDropReason[];
}

/** A file that was read for an answer. */
type ReadFile = Readonly<Record<"name" | "content", string>>;

/**
 * Keeps of a model's answer the statements that quote the report's evidence, or code that was read for the answer, say
 * no more than what they quote and the report, and leave its cause and its confidence as they are.
 */
export function checkedAnswer(
  said: readonly AnswerStatement[],
  report: Report,
  files: readonly ReadFile[],
): CheckedAnswer {
  const checked = said.map(({ sentence, citations }) => {
    const held = citations.filter((one) => isHeld(one, report, files));
    // Wide figures and letters would pass as words.
    const statement = { sentence: sentence.normalize("NFKC").trim(), citations: held };
    return { statement, dropped: citations.length === 0 ? "no-citation" : problemOf(statement, report) };
  });
  return {
    statements: checked.flatMap(({ statement, dropped }) => (dropped === null ? [statement] : [])),
    dropped: checked.flatMap(({ dropped }) => dropped ?? []),
  };
}

function problemOf(statement: AnswerStatement, report: Report): AnswerDropReason | null {
  const { sentence, citations } = statement;
  if (citations.length === 0) return "quote-missing";
  if (!hasOnlyMeasuredShares(statement, report)) return "another-confidence";
  if (!agreesOnCause(statement, report)) return "another-cause";
  const isSaid = sentence !== "" && !unreadable.test(sentence);
  return isSaid && saysOnly(sentence, knownTo(citations, report)) ? null : "words-unproven";
}

/** Digits of other scripts, and characters that hide text or break words apart. */
const unreadable = /(?!\d)\p{Nd}|(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}|\p{Cc}/u;

/** What a sentence with these quotes may name: what they and the report say. */
function knownTo(citations: readonly AnswerCitation[], report: Report): string {
  const { candidates, chain, impact, confidence } = report;
  const solutions = [...report.short_term_solutions, ...report.long_term_solutions];
  const quotes = citations.map((one) =>
    one.kind === "source" ? `${one.file}:${one.from}-${one.to} ${one.excerpt}` : `${one.id} ${one.excerpt}`,
  );
  const cited = report.evidence.filter(({ id }) => citations.some((one) => one.kind === "evidence" && one.id === id));
  const places = [report.root_cause, ...candidates, ...chain, ...cited].flatMap(({ location }) =>
    location ? [`${location.file}:${location.line ?? ""} ${location.function ?? ""}`] : [],
  );
  return [
    ...quotes,
    ...cited.map(({ summary }) => summary),
    ...places,
    ...[report.root_cause_summary, report.root_cause.statement, impact.summary],
    ...[...candidates, ...chain].map(({ service }) => service ?? ""),
    ...candidates.map(({ statement }) => statement),
    ...chain.map(({ what, release }) => `${what} ${release ?? ""}`),
    ...solutions.map(({ title, detail }) => `${title} ${detail}`),
    ...report.not_checked,
    `${Math.round(100 * confidence.score)}%`,
  ].join(" ");
}

/** What a model contributed itself, and isn't observed, can't be quoted. */
function isHeld(citation: AnswerCitation, { evidence }: Report, files: readonly ReadFile[]): boolean {
  const wanted = tellingQuote(citation.excerpt);
  if (wanted === null) return false;
  if (citation.kind === "source") return linesOf(citation, files).includes(wanted);
  return evidence.some(
    ({ id, source, excerpt, summary }) =>
      id === citation.id && source.kind !== "model" && [excerpt, summary].some((text) => flat(text).includes(wanted)),
  );
}

function linesOf(
  { file, from, to }: Extract<AnswerCitation, { readonly kind: "source" }>,
  files: readonly ReadFile[],
): string {
  const read = files.find(({ name }) => name === file);
  return flat(
    (read?.content ?? "")
      .split(/\r?\n/)
      .slice(from - 1, to)
      .join(" "),
  );
}
