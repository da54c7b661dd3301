import { type BrokenCitation, citedIds, type Evidence, type Report, type Solution } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import { type AnyFact, type Fact, isCollected, isComputed, problemsOf } from "../signals/fact.ts";
import { percent } from "../words/prose.ts";
import { figuresIn, figuresOfFact, figuresOfFindings, figuresOfText } from "./figures.ts";
import { plain } from "./next-checks.ts";

/** What a report's sentences are checked against. */
export interface Known {
  readonly findings: Findings;
  /** What each piece of evidence shows, by its ID. */
  readonly facts: ReadonlyMap<string, AnyFact>;
}

/**
 * Returns what is wrong with a fact: an impossible order, a count larger than its total, a figure that isn't in its
 * data.
 */
export function factProblems(fact: AnyFact, excerpt: string): string[] {
  return isCollected(fact) ? [...problemsOf(fact, excerpt), ...inventedFigures(fact, excerpt)] : [];
}

/** Returns the observations whose facts are possible; the others aren't used for ranking or writing. */
export function trueObservations(observations: readonly Observation[]): readonly Observation[] {
  return observations.filter(({ fact, excerpt }) => factProblems(fact, excerpt).length === 0);
}

/** Returns the figures of a fact that aren't in its data. */
function inventedFigures(fact: Fact, excerpt: string): string[] {
  if (!isComputed(fact)) return [];
  const data = new Set(figuresOfText(excerpt));
  const invented = figuresOfText(JSON.stringify({ ...fact, kind: "" })).filter((figure) => !data.has(figure));
  return invented.length === 0 ? [] : [`${invented[0]} isn't in its data`];
}

/** Checks whether every time and number in a sentence can be recomputed from the evidence that it cites. */
export class Truth {
  readonly #byId: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #ofInput: ReadonlySet<string>;

  constructor(evidence: readonly Evidence[], { findings, facts }: Known) {
    this.#byId = new Map(evidence.map((one) => [one.id, figuresOfEvidence(one, facts.get(one.id))]));
    this.#ofInput = new Set(figuresOfFindings(findings));
  }

  /** Returns the figures in a sentence that nothing supports. With `ids` null, all evidence counts. */
  unsupported(sentence: string, ids: readonly string[] | null): string[] {
    const cited = ids ?? [...this.#byId.keys()];
    return figuresIn(sentence).filter(
      (figure) => !this.#ofInput.has(figure) && !cited.some((id) => this.#byId.get(id)?.has(figure)),
    );
  }
}

function figuresOfEvidence(
  { excerpt, first_line: line, observed_at: at }: Evidence,
  fact: AnyFact | undefined,
): ReadonlySet<string> {
  const lines = line === undefined ? [] : excerpt.split("\n").map((_, index) => String(line + index));
  return new Set([
    ...figuresOfText(excerpt),
    at,
    ...lines,
    ...(fact ? [...figuresOfFact(fact), ...figuresOfText(JSON.stringify(fact))] : []),
  ]);
}

/** What a template leaves behind when a value is missing. */
const placeholder = /\{\w+\}|\b(?:NaN|Invalid Date|\[object Object\])\b/;

/** Returns what is wrong with a sentence, regardless of its context. */
export function sentenceProblem(sentence: string): string | null {
  const prose = sentence.replace(/(`+)[^`](?:.*?[^`])?\1(?!`)/g, " ");
  return placeholder.test(prose) ? "has a placeholder without its value" : null;
}

/** Returns the vendor whose finding a sentence cites without naming it; null when it names all of them. */
export function unnamedVendor(
  sentence: string,
  ids: readonly string[],
  facts: ReadonlyMap<string, AnyFact>,
): string | null {
  const vendors = ids.flatMap((id) => {
    const fact = facts.get(id);
    return fact?.kind === "outside" ? [fact.outside.vendor] : [];
  });
  return vendors.find((vendor) => !sentence.includes(vendor)) ?? null;
}

/**
 * Returns whether cited evidence shows that the release after the one that a solution deploys again is the cause: that
 * it is suspect, or what it changed shortly before the failure.
 */
export function supportsRollback(
  { rolls_back: back, evidence_ids: ids }: Solution,
  facts: ReadonlyMap<string, AnyFact>,
): boolean {
  if (back === undefined) return true;
  return ids.some((id) => {
    const fact = facts.get(id);
    if (fact?.kind !== "deploy") return false;
    const { service, previous, verdict } = fact.deploy;
    const isShown = verdict === "suspect" || (verdict === "near" && showsChangeOf(fact.deploy, ids, facts));
    return isShown && service === back.service && previous === back.to;
  });
}

/** Returns whether cited evidence is a change that the release brought. */
function showsChangeOf(
  { service, release }: { readonly service: string; readonly release: string },
  ids: readonly string[],
  facts: ReadonlyMap<string, AnyFact>,
): boolean {
  return ids.some((id) => {
    const fact = facts.get(id);
    return fact?.kind === "release-change" && fact.change.service === service && fact.change.release === release;
  });
}

/**
 * Returns predictions that refute themselves: what would be seen if they are right is the same as if they are wrong.
 */
export function contradictions({ predictions }: Pick<Report, "predictions">): BrokenCitation[] {
  return predictions.flatMap(({ statement, refuted_by: refuted }, index) =>
    refuted !== undefined && plain(refuted) === plain(statement.replace(/^If this is right, /, ""))
      ? [{ where: `predictions[${index}]`, problem: "is refuted by what it says" }]
      : [],
  );
}

/** Returns the lines of the analysis whose figures aren't supported. Those of other candidates end with their score. */
export function falseLines(
  { detailed_analysis: markdown, candidates }: Pick<Report, "detailed_analysis" | "candidates">,
  truth: Truth,
): string[] {
  const scores = new Set(candidates.map(({ score }) => percent(score)));
  return markdown.split("\n").filter((line) => {
    const ids = citedIds(line);
    const said = line.replace(/ \((\d+%)\)(?=\. \[)/, (whole, score: string) => (scores.has(score) ? "" : whole));
    return ids.length > 0 && truth.unsupported(said, ids).length > 0;
  });
}
