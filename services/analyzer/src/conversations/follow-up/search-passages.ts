import type { Passage } from "./passages.ts";
import type { Question } from "./question.ts";
import type { Term } from "./terms.ts";

/** The result of a search for a topic. */
export interface Found {
  /** The best first. */
  readonly passages: readonly Passage[];
  /** The share of the topic's weight that the best passage has, from 0 to 1. */
  readonly coverage: number;
  /** Terms of the topic that the report lacks. */
  readonly unknown: readonly Term[];
}

/** How much more a name weighs than a word. */
const nameWeight = 2;
/** The weight of a name when all of its parts occur, but not the name itself. */
const partWorth = 0.8;
/** The weight of a word that occurs only in quoted text. */
const quotedWorth = 0.6;
/** The extra weight of a statement in the wanted shape: a duration, an address. */
const shapeWorth = 0.2;
/** A passage this far below the best one is another topic. */
const nearBest = 0.75;

/** Finds the statements about a topic by its words, weighted by their rarity in the report. */
export function searchPassages(
  { topic, shape }: Pick<Question, "topic" | "shape">,
  passages: readonly Passage[],
): Found {
  const weights = topic.map((term) => weightOf(term, passages));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scored = passages
    .map((passage) => {
      const weight = topic.reduce((sum, term, index) => sum + (weights[index] ?? 0) * shareOf(term, passage), 0);
      const coverage = weight / (total || 1);
      return { passage, coverage, score: coverage + (shape?.test(passage.text) ? shapeWorth : 0) };
    })
    .filter(({ coverage }) => coverage > 0)
    .toSorted((left, right) => right.score - left.score || right.passage.worth - left.passage.worth);
  const best = scored[0]?.score ?? 0;
  return {
    passages: scored.filter(({ score }) => score >= nearBest * best).map(({ passage }) => passage),
    coverage: Math.max(0, ...scored.map(({ coverage }) => coverage)),
    unknown: topic.filter((term) => passages.every((passage) => shareOf(term, passage) === 0)),
  };
}

function weightOf(term: Term, passages: readonly Passage[]): number {
  const having = passages.filter((passage) => shareOf(term, passage) > 0).length;
  return Math.log(1 + (passages.length + 1) / (having + 1)) * (term.isName ? nameWeight : 1);
}

/** Returns how much of a term a passage has, in its own words or in its quote. */
function shareOf(term: Term, { words, quoted }: Passage): number {
  return Math.max(shareIn(words, term), quotedWorth * shareIn(quoted, term));
}

/** Returns the share for the whole term, or for all of its parts: half of a name is another name. */
function shareIn(words: ReadonlySet<string>, { whole, parts }: Term): number {
  if (words.has(whole)) return 1;
  if (!parts.every((part) => words.has(part))) return 0;
  return parts.length === 1 ? 1 : partWorth;
}
