import type { Report } from "@whence/protocol";
import type { Question } from "./questions.ts";

/** The share of an expected sentence's ordinary words that a report must have. */
const wordsMin = 2 / 3;
const wordLengthMin = 4;
const quoted = /`([^`]+)`|"([^"]+)"/g;
/** An abbreviation, a number, and a name in code or of a resource: what is said exactly or not at all. */
const exact = /^[A-Z]{2,4}$|[A-Za-z0-9]*(?:[a-z][A-Z]|[-_./:]|\d)[\w./:-]*/;
/** Words of the sentences that say how an answer is to be written. */
const aboutAnswers: ReadonlySet<string> = new Set(
  "must not or mention mentions should this that there with from have been which were being because either like same similar includes include answer explain point suggest".split(
    " ",
  ),
);

/**
 * Returns how many of the expected sentences a report says: each quoted text, name, and number of the sentence, and two
 * thirds of its other words of four letters or more, in any order. What the question says already counts nothing, since
 * repeating it is no answer. HolmesGPT has a model compare the two.
 */
export function sentencesSaid(report: Report, { text, expected }: Pick<Question, "text" | "expected">): number {
  const [said, asked] = [flat(textOf(report)), flat(text)];
  return expected.filter((sentence) => isSaid(sentence, said, asked)).length;
}

function isSaid(sentence: string, said: string, asked: string): boolean {
  const isNews = (part: string): boolean => part !== "" && !asked.includes(part) && !aboutAnswers.has(part);
  const spans = [...sentence.matchAll(quoted)].map(([, code, quote]) => code ?? quote ?? "");
  const tokens = sentence
    .replace(quoted, " ")
    .split(/\s+/)
    .map((token) => token.replace(/^[^\w]+|[^\w]+$/g, ""));
  const { names = [], words = [] } = Object.groupBy(tokens, (token) => (exact.test(token) ? "names" : "words"));
  const needed = [...spans, ...names].map(flat).filter(isNews);
  const counted = words.map(flat).filter((word) => word.length >= wordLengthMin && isNews(word));
  const found = counted.filter((word) => said.includes(word)).length;
  if (needed.length + counted.length === 0) return false;
  return needed.every((name) => said.includes(name)) && found >= counted.length * wordsMin;
}

/** What a report says about the cause and the fix, without the analysis, which quotes lines that it may not explain. */
function textOf(report: Report): string {
  const solutions = [...report.short_term_solutions, ...report.long_term_solutions];
  return [
    ...[report.root_cause_summary, report.root_cause.statement],
    ...report.candidates.flatMap(({ statement, support, against }) => [statement, ...support, ...against]),
    ...solutions.flatMap(({ title, detail }) => [title, detail]),
  ].join("\n");
}

function flat(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s`'"]+/g, " ")
    .trim();
}
