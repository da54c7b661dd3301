import type { Report } from "@whence/protocol";
import { isComputed } from "./quotes.ts";
import { type Term, termsOf } from "./terms.ts";

/** A statement of a report with its cited evidence, or a piece of evidence. */
export interface Passage {
  readonly text: string;
  readonly evidenceIds: readonly string[];
  /** Every word in it, and every part of a word. */
  readonly words: ReadonlySet<string>;
  /** The words of what it quotes. */
  readonly quoted: ReadonlySet<string>;
  /** Whether it is a piece of evidence rather than a statement. */
  readonly isEvidence: boolean;
  /** Its weight compared with others that have the same words: statements come before their evidence. */
  readonly worth: number;
}

const sentenceEnd = /(?<=[.!?])\s+(?=[\p{Lu}`\d])/u;

/** Returns everything that a report says, each statement once. */
export function passagesOf(report: Report): Passage[] {
  const { chain, candidates, impact, predictions, evidence, not_checked: notChecked } = report;
  const solutions = [...report.short_term_solutions, ...report.long_term_solutions];
  const passages = [
    ...chain.map(({ what, evidence_ids: ids }) => passage(what, ids, 5)),
    // The first candidate starts the chain. The others aren't findings: each has its rank and its probability.
    ...candidates
      .filter(({ rank }) => rank > 1)
      .map(({ rank, score, statement }) => labelled(candidate(rank, score), passage(statement, [], 4))),
    ...notChecked.map((text) => passage(text, [], 4)),
    ...solutions.map(({ title, detail, evidence_ids: ids }) =>
      passage(detail === "" ? title : `${title}: ${detail}`, ids, 3),
    ),
    ...impact.summary.split(sentenceEnd).map((text) => passage(text, [], 3)),
    ...evidence.map((one) =>
      // Field names of JSON aren't prose.
      passage(one.summary, [one.id], 2, `${one.source.name}\n${isComputed(one) ? "" : one.excerpt}`),
    ),
    ...candidates.flatMap(({ rank, score, against }) =>
      against.map((text) => labelled(`against ${candidate(rank, score)}`, passage(text, [], 3))),
    ),
    ...predictions.map(({ statement }) => passage(statement, [], 1)),
  ];
  const bare = (text: string): string => text.replaceAll("`", "").replace(/\.$/, "").toLowerCase();
  return [...new Map(passages.toReversed().map((one) => [bare(one.text), one])).values()].toReversed();
}

function candidate(rank: number, score: number): string {
  return `candidate ${rank} (${Math.round(100 * score)}%)`;
}

/** Labels a passage with text that isn't searched. */
function labelled(label: string, one: Passage): Passage {
  return { ...one, text: `${label}: ${one.text}` };
}

/** Returns the words by which a search finds a term. */
function keysOf({ whole, parts }: Term): readonly string[] {
  return [whole, ...parts];
}

function passage(text: string, evidenceIds: readonly string[], worth: number, excerpt = ""): Passage {
  const wordsOf = (one: string): ReadonlySet<string> => new Set(termsOf(one).flatMap(keysOf));
  return { text, evidenceIds, words: wordsOf(text), quoted: wordsOf(excerpt), isEvidence: excerpt !== "", worth };
}
