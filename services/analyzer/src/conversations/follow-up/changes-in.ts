import type { Report } from "@whence/protocol";
import { paragraph, steps } from "../message-parts.ts";
import type { Answer } from "./answer.ts";
import type { Question } from "./question.ts";
import { quotesOf } from "./quotes.ts";
import { termsOf } from "./terms.ts";

/** Matches evidence of a release, a commit, or a changed setting. */
const changeSource = /^(?:releases?|changes?|deploys?|deployments?)\b/i;
const changeWords = /\b(?:differs from|changed|deployed|released|commit(?:ted)?|rolled out|merged|was first seen)\b/;
/** Matches the engine's wording for a commit's author. */
const author = /\bcommit `?\w+`? by /;

/**
 * Returns what the report says about releases and changes; null if nothing. A release that merely runs isn't a change.
 */
export function changesIn(report: Report, { text }: Question): Answer | null {
  const { chain, candidates, evidence } = report;
  const statements = [
    ...chain.map(({ what, evidence_ids: ids }) => ({ text: what, ids })),
    ...candidates.map(({ statement, evidence_ids: ids }) => ({ text: statement, ids })),
  ];
  const evidenceOfChange = evidence.filter(
    ({ source, summary }) =>
      changeSource.test(source.name) || (source.kind !== "exception" && summary.includes(" differs from ")),
  );
  const ids = new Set(evidenceOfChange.map(({ id }) => id));
  const said = statements.find(({ text, ids: cited }) => cited.some((id) => ids.has(id)) && changeWords.test(text));
  const headline = said?.text ?? evidenceOfChange[0]?.summary;
  if (headline === undefined) return null;
  const texts = evidenceOfChange.map(({ summary }) => summary);
  const asksWho = termsOf(text).some(({ whole }) => whole === "who" || whole === "whose");
  return {
    headline,
    parts: [
      ...(asksWho && !texts.some((one) => author.test(one))
        ? paragraph(null, "The report doesn't say who made it.")
        : []),
      ...(said ? [] : paragraph(null, "The report doesn't name it as the cause.")),
      ...steps(
        "What is known of changes",
        texts.filter((one) => one !== headline),
      ),
      ...quotesOf(
        report,
        evidenceOfChange.filter(({ source }) => source.kind === "source_file").map(({ id }) => id),
        1,
      ),
    ],
  };
}
