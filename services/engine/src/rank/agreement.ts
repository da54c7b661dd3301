import type { ModelFinding, ProposedSubject } from "../signals/facts/model-finding.ts";

/**
 * Whether a language model finds the cause that the engine ranks first. Only runs that weren't shown the engine's report
 * count: most name it, most name something else, or all name the same other cause.
 */
export type Agreement = "agrees" | "differs" | "contradicts";

/**
 * How much likelier each is where the engine's first file is right than where it is wrong, of 575 scripted answers.
 * Method and sources: docs/how-it-reasons.md.
 */
const likelihoodRatios: Readonly<Record<Agreement, number>> = { agrees: 1.05, differs: 0.97, contradicts: 0.95 };

/**
 * Returns how what a model names most often first relates to the engine's first candidate, by its findings that hold.
 * Only runs that weren't shown the engine's report count: others may repeat it. Null where none of them names
 * anything, or as many name it as not.
 */
export function agreementOf(
  findings: readonly ModelFinding[],
  isFirst: (subject: ProposedSubject) => boolean,
): Agreement | null {
  const { same = [], other = [] } = Object.groupBy(
    findings.filter(({ stance }) => stance === "supports"),
    ({ subject }) => (isFirst(subject) ? "same" : "other"),
  );
  const [agreeing, differing] = [same, other].map((all) => all.reduce((sum, { first }) => sum + first.blind, 0));
  if (agreeing === undefined || differing === undefined || agreeing === differing) return null;
  if (agreeing > differing) return "agrees";
  return other.some(({ first, of }) => first.blind > 0 && first.runs === of) ? "contradicts" : "differs";
}

/** Returns a confidence after a model was asked, not rounded: its odds change by the ratio. */
export function agreed(score: number, agreement: Agreement): number {
  const odds = (score / (1 - score)) * likelihoodRatios[agreement];
  return odds / (1 + odds);
}
