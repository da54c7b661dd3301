import type { Report } from "@whence/protocol";

/** A report's confidence in the parts that the page shows, the percentage once. */
interface ConfidenceParts {
  /** `84%`. */
  readonly percentage: string;
  /** What follows the percentage: `likely to be the right file.`, or `confidence`. */
  readonly about: string;
  /** The first sentence of the basis that isn't in `about`; empty when there is none. */
  readonly first: string;
  readonly rest: string;
}

/** Splits a confidence into its percentage, what it is about, and the rest of its basis. */
export function confidenceBasis({ score, basis }: Pick<Report["confidence"], "score" | "basis">): ConfidenceParts {
  const percentage = `${Math.round(score * 100)}%`;
  const [first, rest] = firstSentence(basis);
  return first.startsWith(`${percentage} `)
    ? { percentage, about: first.slice(percentage.length + 1), first: "", rest }
    : { percentage, about: "confidence", first, rest };
}

function firstSentence(text: string): readonly [first: string, rest: string] {
  const end = text.indexOf(". ") + 1;
  return end > 0 ? [text.slice(0, end), text.slice(end).trimStart()] : [text, ""];
}
