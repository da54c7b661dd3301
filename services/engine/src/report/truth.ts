import {
  type BrokenCitation,
  citedIds,
  clockErrorMs,
  type Evidence,
  type OutsideFinding,
  type Report,
} from "@whence/protocol";
import type { Findings, Observation } from "../findings/findings.ts";
import { hunkText } from "../findings/release-change.ts";
import type { AnyFact, DeployFact, ProcessState } from "../findings/telemetry-facts.ts";
import { figuresIn, figuresOfFact, figuresOfFindings, figuresOfText } from "./figures.ts";
import { plain } from "./next-checks.ts";

/** What a report's sentences are checked against. */
export interface Known {
  readonly findings: Findings;
  /** What each piece of evidence shows, by its id. */
  readonly facts: ReadonlyMap<string, AnyFact>;
}

/** What is wrong with a fact: an order that can't be, a count beyond its whole, a figure that its data doesn't have. */
export function factProblems(fact: AnyFact, excerpt: string): string[] {
  return [
    ...orderProblems(fact),
    ...countProblems(fact),
    ...inventedFigures(fact, excerpt),
    ...changeProblems(fact, excerpt),
  ];
}

/** The observations whose facts can be: nothing is ranked or written by the others. */
export function trueObservations(observations: readonly Observation[]): readonly Observation[] {
  return observations.filter(({ fact, excerpt }) => factProblems(fact, excerpt).length === 0);
}

function orderProblems(fact: AnyFact): string[] {
  switch (fact.kind) {
    case "process-state":
      return restartProblems(fact.state);
    case "deploy":
      return deployProblems(fact.deploy);
    case "last-heartbeat":
      return isLater(fact.lastHeartbeat.lastAt, fact.lastHeartbeat.noticedAt)
        ? ["an exit was noticed before the last heartbeat"]
        : [];
    case "totals": {
      const { first_seen: first, last_seen: last } = fact.impact;
      return first !== null && last !== null && isLater(first, last)
        ? ["it was last seen before it was first seen"]
        : [];
    }
    case "rate":
      return fact.rate.at !== null && fact.rate.until !== null && isLater(fact.rate.at, fact.rate.until)
        ? ["a spike ended before it began"]
        : [];
    case "outside":
      return outsideProblems(fact.outside);
    default:
      return [];
  }
}

/** A hunk's lines are those of its excerpt, and no release has a commit that was made after it was seen. */
function changeProblems(fact: AnyFact, excerpt: string): string[] {
  const isQuoted = fact.kind !== "change" || hunkText(fact.change.hunk).startsWith(excerpt);
  return [
    ...(isQuoted ? [] : ["the lines of a change aren't in its excerpt"]),
    ...(commitsOf(fact).some(([at, seen]) => Date.parse(at) > Date.parse(seen) + clockErrorMs)
      ? ["a release has a commit that was made after it"]
      : []),
  ];
}

function commitsOf(fact: AnyFact): (readonly [at: string, seen: string])[] {
  if (fact.kind === "comparison")
    return fact.comparison.commits.map(({ at }) => [at, fact.comparison.releasedAt] as const);
  if (fact.kind !== "change" || fact.change.commit === null) return [];
  return [[fact.change.commit.at, fact.change.releasedAt]];
}

/** A problem that ended before it began, and a log line that nothing logged. */
function outsideProblems(outside: OutsideFinding): string[] {
  if (outside.kind === "problem" && outside.until !== null && isLater(outside.since, outside.until))
    return ["a problem ended before it began"];
  return outside.kind === "log" && outside.count < 1 ? ["a log line was never logged"] : [];
}

function restartProblems(state: ProcessState): string[] {
  if (state.resource !== "restart") return [];
  return isLater(state.previous.lastAt, state.at) ? ["the previous process was seen after the next one began"] : [];
}

function deployProblems({ verdict, reason, counts, at, firstSeen }: DeployFact): string[] {
  const isAlone = reason.kind === "only-in-release" && counts !== null && counts.inOthers > 0;
  const isElsewhere = reason.kind === "none-in-release" && counts !== null && counts.inRelease > 0;
  const isEarly = reason.kind === "long-after" && firstSeen !== null && isLater(at, firstSeen);
  const isLate = verdict === "suspect" && reason.kind === "soon-after";
  return [
    ...(isAlone ? ["a release has all failures, and others have some"] : []),
    ...(isElsewhere ? ["a release has no failures, and has some"] : []),
    ...(isEarly ? ["a failure long after a release came before it"] : []),
    ...(isLate ? ["a release is suspected for its time alone"] : []),
  ];
}

function countProblems(fact: AnyFact): string[] {
  const [part, whole] = partOfWhole(fact);
  return part > whole ? ["a part is larger than its whole"] : [];
}

function partOfWhole(fact: AnyFact): readonly [number, number] {
  if (fact.kind === "concentration") return [fact.concentration.failing, fact.concentration.of];
  if (fact.kind === "failing-calls") return [fact.calls.events, fact.calls.of];
  if (fact.kind === "related-failure") return [fact.failure.traces.with, fact.failure.traces.of];
  if (fact.kind === "answers") {
    const worst = fact.minutes.find(({ requests, failed }) => failed > requests);
    return worst ? [worst.failed, worst.requests] : [0, 0];
  }
  return [0, 0];
}

function isLater(left: string, right: string): boolean {
  return Date.parse(left) > Date.parse(right);
}

const computed: ReadonlySet<AnyFact["kind"]> = new Set([
  ...([
    "totals",
    "answers",
    "rate",
    "earlier-failure",
    "deploy",
    "comparison",
    "last-change",
    "concentration",
    "failing-calls",
  ] as const),
  ...(["process-state", "last-heartbeat", "vital-signs", "last-activity", "exit", "outside"] as const),
]);

/** Figures of a fact that the data which it was made from doesn't have. */
function inventedFigures(fact: AnyFact, excerpt: string): string[] {
  if (!computed.has(fact.kind)) return [];
  const data = new Set(figuresOfText(excerpt));
  const invented = figuresOfText(JSON.stringify({ ...fact, kind: "" })).filter((figure) => !data.has(figure));
  return invented.length === 0 ? [] : [`${invented[0]} isn't in its data`];
}

/** Says of a sentence whether every time and number in it can be recomputed from the evidence that it cites. */
export class Truth {
  readonly #byId: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #ofInput: ReadonlySet<string>;

  constructor(evidence: readonly Evidence[], { findings, facts }: Known) {
    this.#byId = new Map(evidence.map((one) => [one.id, figuresOfEvidence(one, facts.get(one.id))]));
    this.#ofInput = new Set(figuresOfFindings(findings));
  }

  /** The figures of a sentence that nothing supports. `ids` is all of the evidence when null. */
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

/** Marks that a template leaves when a value is missing. */
const placeholder = /\{\w+\}|\b(?:NaN|Invalid Date|\[object Object\])\b/;

/** What is wrong with a sentence, regardless of its context. */
export function sentenceProblem(sentence: string): string | null {
  const prose = sentence.replace(/(`+)[^`](?:.*?[^`])?\1(?!`)/g, " ");
  return placeholder.test(prose) ? "has a placeholder without its value" : null;
}

/** The vendor whose finding a sentence cites without naming it; null when it names all of them. */
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

/** Predictions that refute themselves: what would be seen if they are right is what would be seen if not. */
export function contradictions({ predictions }: Pick<Report, "predictions">): BrokenCitation[] {
  return predictions.flatMap(({ statement, refuted_by: refuted }, index) =>
    refuted !== undefined && plain(refuted) === plain(statement.replace(/^If this is right, /, ""))
      ? [{ where: `predictions[${index}]`, problem: "is refuted by what it says" }]
      : [],
  );
}

/** The lines of the analysis whose figures don't hold. */
export function falseLines(markdown: string, truth: Truth): string[] {
  return markdown.split("\n").filter((line) => {
    const ids = citedIds(line);
    return ids.length > 0 && truth.unsupported(line, ids).length > 0;
  });
}
