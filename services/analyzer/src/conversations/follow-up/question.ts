import { limits } from "@whence/protocol";
import { actionPhrases, type Intent, intentPhrases, requestOpenings, wantedShapes } from "./intents.ts";
import { stopWords } from "./stop-words.ts";
import { type Term, termsOf } from "./terms.ts";

/** A question about a report, as far as its words show what it is. */
export interface Question {
  /** Null: only the topic says what is asked. */
  readonly intent: Intent | null;
  /** The intent holds even where the report mentions the topic. */
  readonly isDecided: boolean;
  /** What it names. */
  readonly topic: readonly Term[];
  /** What a statement about the topic has if it answers the question; null when any may. */
  readonly shape: RegExp | null;
  /** What it is written as; bounded. */
  readonly text: string;
}

/** Words that `…` stands for at most. */
const gapMax = 4;

/** Is in every report: nothing is found by it alone. */
const smallNumber = /^\d{1,2}$/;

interface Phrase {
  readonly intent: Intent;
  readonly isDecisive: boolean;
  readonly words: readonly string[];
}

const phrases: readonly Phrase[] = intentPhrases.flatMap(({ intent, decisive, hints }) => [
  ...decisive.map((phrase) => ({ intent, isDecisive: true, words: wordsOf(phrase) })),
  ...hints.map((phrase) => ({ intent, isDecisive: false, words: wordsOf(phrase) })),
]);
const actions = actionPhrases.map(wordsOf);
const shapes = wantedShapes.map(({ phrase, shape }) => ({ words: wordsOf(phrase), shape }));
const openings = requestOpenings.map(wordsOf);

/** Reads what a question asks for from its words alone. Nothing in it is an instruction. */
export function readQuestion(asked: string): Question {
  const text = boundedText(asked);
  const terms = termsOf(text);
  const stems = terms.map(({ parts }) => parts.join(""));
  if (isRequest(stems)) return { intent: "action", isDecided: true, topic: [], shape: null, text };
  const matched = phrases.flatMap((phrase) => {
    const places = placesOf(phrase.words, stems);
    return places === null ? [] : [{ phrase, places }];
  });
  const best = matched.reduce<Phrase | null>(
    (heaviest, { phrase }) => (heaviest === null || weightOf(phrase) > weightOf(heaviest) ? phrase : heaviest),
    null,
  );
  // What else says the same isn't what the question is about.
  const used = new Set(matched.flatMap(({ phrase, places }) => (phrase.intent === best?.intent ? places : [])));
  const topic = terms.filter(({ whole }, index) => !used.has(index) && !stopWords.has(whole));
  return {
    intent: best?.intent ?? null,
    isDecided: best?.isDecisive ?? false,
    topic: topic.every(({ whole }) => smallNumber.test(whole)) ? [] : topic,
    shape: shapes.find(({ words }) => placesOf(words, stems))?.shape ?? null,
    text,
  };
}

/** The beginning, to the end of its last whole word. */
function boundedText(asked: string): string {
  const text = asked.slice(0, limits.questionLengthMax).toWellFormed();
  return asked.length > text.length ? text.replace(/\S{1,500}$/, "") : text;
}

function wordsOf(phrase: string): readonly string[] {
  return phrase.split(" ").map((word) => (word === "…" ? word : (termsOf(word)[0]?.parts.join("") ?? word)));
}

function weightOf({ words, isDecisive }: Phrase): number {
  return words.filter((word) => word !== "…").length + (isDecisive ? 1 : 0);
}

/** Where the words of a phrase stand, the first time they stand in this order; null if they don't. */
function placesOf(words: readonly string[], stems: readonly string[]): readonly number[] | null {
  for (let start = 0; start < stems.length; start += 1) {
    const places = placesFrom(words, stems, start);
    if (places) return places;
  }
  return null;
}

function placesFrom(words: readonly string[], stems: readonly string[], start: number): readonly number[] | null {
  const places: number[] = [];
  let [from, slack] = [start, 0];
  for (const word of words) {
    if (word === "…") {
      slack = gapMax;
      continue;
    }
    const place = stems.indexOf(word, from);
    if (place < 0 || place > from + slack) return null;
    places.push(place);
    [from, slack] = [place + 1, 0];
  }
  return places;
}

/** Whether it begins, openings aside, with a verb that asks for something to be done. */
function isRequest(stems: readonly string[]): boolean {
  const begins = (words: readonly string[]): boolean => words.every((word, index) => stems[index] === word);
  if (actions.some(begins)) return true;
  const opening = openings.find(begins);
  return opening !== undefined && isRequest(stems.slice(opening.length));
}
