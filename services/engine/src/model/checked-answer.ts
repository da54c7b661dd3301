import type { Report } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { evidenceText } from "../signals/fact.ts";
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
  "another-cause": ["names another cause than the report", "name another cause than the report"],
  "another-confidence": ["states a percentage that wasn't measured", "state a percentage that wasn't measured"],
} as const;

/** Why a statement of an answer isn't used. */
export type AnswerDropReason = keyof typeof answerDropReasons;

/** The statements of an answer that hold, with the quotes that were found, and why others don't. */
export interface CheckedAnswer {
  readonly statements: readonly AnswerStatement[];
  readonly dropped: readonly AnswerDropReason[];
}

/** What was read for an answer besides the report. */
interface ReadForAnswer {
  readonly files: readonly Readonly<Record<"name" | "content", string>>[];
  readonly observations: readonly Observation[];
}

/**
 * Keeps of a model's answer the statements that quote the report's evidence, or what was read for the answer, say no
 * more than what they quote and the report, and leave its cause and its confidence as they are.
 */
export function checkedAnswer(said: readonly AnswerStatement[], report: Report, read: ReadForAnswer): CheckedAnswer {
  const checked = said.map(({ sentence, citations }) => {
    const held = citations.filter((one) => isHeld(one, report, read));
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
  const quotes = citations.map((one) => `${placeOf(one)} ${one.excerpt}`);
  const cited = report.evidence.filter(({ id }) => citations.some((one) => one.kind === "evidence" && one.id === id));
  const places = [report.root_cause, ...candidates, ...chain, ...cited].flatMap(({ location }) =>
    location ? [`${location.file}:${location.line ?? ""} ${location.function ?? ""}`] : [],
  );
  return [
    ...quotes,
    ...cited.map(({ summary }) => summary),
    ...places,
    report.root_cause_summary,
    report.root_cause.statement,
    impact.summary,
    ...[...candidates, ...chain].map(({ service }) => service ?? ""),
    ...candidates.map(({ statement }) => statement),
    ...chain.map(({ what, release }) => `${what} ${release ?? ""}`),
    ...solutions.map(({ title, detail }) => `${title} ${detail}`),
    ...report.not_checked,
    `${Math.round(100 * confidence.score)}%`,
  ].join(" ");
}

function placeOf(citation: AnswerCitation): string {
  switch (citation.kind) {
    case "source":
      return `${citation.file}:${citation.from}-${citation.to}`;
    case "observed":
      return `${citation.source} ${citation.summary}`;
    case "evidence":
      return citation.id;
  }
}

/** What a model contributed itself, and isn't observed, can't be quoted. */
function isHeld(citation: AnswerCitation, { evidence }: Report, { files, observations }: ReadForAnswer): boolean {
  const wanted = tellingQuote(citation.excerpt);
  if (wanted === null) return false;
  const has = (...texts: readonly string[]): boolean => texts.some((text) => flat(text).includes(wanted));
  switch (citation.kind) {
    case "source":
      return has(linesOf(citation, files));
    case "observed":
      return observations.some(
        ({ sha256, source, excerpt, fact }) =>
          sha256 === citation.digest && source.kind !== "model" && has(excerpt, evidenceText(fact)),
      );
    case "evidence":
      return evidence.some(
        ({ id, source, excerpt, summary }) => id === citation.id && source.kind !== "model" && has(excerpt, summary),
      );
  }
}

function linesOf(
  { file, from, to }: Extract<AnswerCitation, { readonly kind: "source" }>,
  files: ReadForAnswer["files"],
): string {
  const read = files.find(({ name }) => name === file);
  return (read?.content ?? "")
    .split(/\r?\n/)
    .slice(from - 1, to)
    .join(" ");
}
