import { limits } from "@whence/protocol";
import { actionPhrases, type Intent, intentPhrases, requestOpenings, wantedShapes } from "./intents.ts";
import { stopWords } from "./stop-words.ts";
import { type Term, termsOf } from "./terms.ts";

/** A question about a report, as read from its words. */
export interface Question {
  /** Null when only the topic says what is asked. */
  readonly intent: Intent | null;
  /** Whether the intent holds even if the report mentions the topic. */
  readonly isDecided: boolean;
  /** The terms that it names. */
  readonly topic: readonly Term[];
  /** The shape of a statement about the topic that answers the question; null for any. */
  readonly shape: RegExp | null;
  /** The question's text, bounded. */
  readonly text: string;
}

/** The maximum number of words that `…` stands for. */
const gapMax = 4;

/** Matches a small number, which is in every report and finds nothing on its own. */
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
  // Other words for the same intent aren't the question's topic.
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

/** Returns the beginning, up to the end of its last whole word. */
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

/** Returns where the words of a phrase first occur in this order; null if they don't. */
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

/** Whether it starts, after openings, with a verb that asks for something to be done. */
function isRequest(stems: readonly string[]): boolean {
  const begins = (words: readonly string[]): boolean => words.every((word, index) => stems[index] === word);
  if (actions.some(begins)) return true;
  const opening = openings.find(begins);
  return opening !== undefined && isRequest(stems.slice(opening.length));
}
