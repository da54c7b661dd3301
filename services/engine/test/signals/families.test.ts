import type { Evidence } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { assemble } from "../../src/report/assemble.ts";
import { bookOf } from "../../src/report/evidence-book.ts";
import { figuresIn } from "../../src/report/figures.ts";
import { render } from "../../src/report/render.ts";
import { factProblems, sentenceProblem } from "../../src/report/truth.ts";
import { verify } from "../../src/report/verify.ts";
import { type AnyFact, type FactName, problemsOf } from "../../src/signals/fact.ts";
import { factKinds } from "../../src/signals/facts/kinds.ts";
import { hunkText } from "../../src/signals/facts/release-change.ts";
import { families } from "../../src/signals/families.ts";
import type { Kind } from "../../src/signals/kind.ts";
import { SourceText } from "../../src/source/source-text.ts";
import { caseOf, eventFindings, failedAt, now } from "../report/written-reports.ts";
import { falsified } from "./falsified.ts";

const kinds = families.flatMap(({ name: family, kinds: ofFamily }) =>
  ofFamily.map((kind) => ({ family, name: kind.name, kind })),
);
const findings = eventFindings();
const { traced, ranking } = caseOf(findings, { kind: "service", service: "orders" });
const book = bookOf(findings);
const report = assemble(render(findings, traced, ranking, book, now), book);
const codeSpan = /(`+)[^`](?:.*?[^`])?\1(?!`)/g;
/** Marks of a value that is missing in a sentence. */
const hole = /undefined|\bnull\b|NaN|\{\w+\}|\[object|``| {2}|\(\)| [,.;]/;

describe.each(kinds)("$family/$name", ({ kind }) => {
  it("accepts its example, and none with a broken part", () => {
    expect(kind.accepts(kind.example)).toBe(true);
    expect(broken(kind).filter((data) => kind.accepts(data))).toEqual([]);
  });

  it("has a sentence that reads as text, and a description", () => {
    const sentence = kind.sentence(kind.example);
    const prose = sentence.replace(codeSpan, "x");
    expect(prose).not.toMatch(hole);
    expect(prose).not.toMatch(/[`\n]/);
    expect(sentence.split(" ").length).toBeGreaterThan(1);
    expect(sentenceProblem(sentence)).toBeNull();
    expect(kind.means).toMatch(/^[A-Z].*[^.]$/);
  });
});

/** What isn't checked rests on no evidence. */
const withEvidence = kinds.filter(({ family }) => family !== "gaps");

describe.each(withEvidence)("what a report says of $family/$name", ({ family, kind }) => {
  it("stays in the report when its evidence supports it", () => {
    expect(said(family, kind, kind.sentence(kind.example)).timeline).toHaveLength(1);
  });

  it("is dropped when it states another figure, or quotes what isn't in its source", () => {
    const statesFigures = figuresIn(kind.sentence(kind.example)).length > 0;
    if (statesFigures) {
      const others = falsifiedOf(kind).map((data) => said(family, kind, kind.sentence(data)));
      expect(others.some(({ timeline }) => timeline.length === 0)).toBe(true);
    }
    const forged = said(family, kind, kind.sentence(kind.example), (excerpt) => excerpt.replace(/\w/, "?"));
    expect(forged.timeline).toEqual([]);
    expect(forged.evidence).toEqual([]);
  });
});

describe.each(kinds.filter(({ family }) => family === "facts"))("a fact of kind $name", ({ kind }) => {
  it("is possible in its example, and rejected when it is impossible or not in its data", () => {
    const fact = factOf(kind, kind.example);
    const excerpt = excerptOf(fact);
    expect(factProblems(fact, excerpt)).toEqual([]);
    const others = falsifiedOf(kind).map((data) => factOf(kind, data));
    expect(others.some((one) => factProblems(one, excerpt).length > 0)).toBe(true);
  });
});

const withOwnCheck = kinds.filter(({ family, name }) => family === "facts" && hasOwnCheck(name));

describe.each(withOwnCheck)("the check of $name", ({ name, kind }) => {
  it("rejects the impossible, whatever its data", () => {
    const excerpt = excerptOf(factOf(kind, kind.example));
    const problems = falsifiedOf(kind).flatMap((data) => problemsOf(factOf(kind, data), excerpt));
    expect(problems, name).not.toEqual([]);
  });
});

function hasOwnCheck(name: string): boolean {
  return Object.values(factKinds).some((kind) => kind.name === name && "problems" in kind);
}

/** The example with one of its parts broken; of a kind without parts, with one. */
function broken({ example }: Kind): object[] {
  const parts = Object.keys(example);
  if (parts.length === 0) return [{ more: true }];
  return parts.map((part) => ({ ...example, [part]: Symbol("broken") }));
}

/** What the kind would be with another figure, time, or text. */
function falsifiedOf({ example, accepts }: Kind): object[] {
  return falsified(example).filter(accepts);
}

/** A fact of a kind. Its data has been parsed: the kind's sentence was made of it. */
function factOf({ name }: Kind, data: object): AnyFact & { readonly kind: FactName } {
  return { kind: name, ...data } as AnyFact & { readonly kind: FactName };
}

/** What a fact is quoted as: a change as its lines, the others as the data that they were computed from. */
function excerptOf(fact: AnyFact): string {
  return fact.kind === "release-change" ? hunkText(fact.change.hunk) : JSON.stringify(fact);
}

/** A report whose timeline has one sentence, which cites the example of a kind, after verification. */
function said(
  family: string,
  kind: Kind,
  sentence: string,
  quoteAs = (excerpt: string): string => excerpt,
): Pick<ReturnType<typeof verify>["report"], "timeline" | "evidence"> {
  const isFact = family === "facts" || family === "inputs";
  const fact = isFact ? factOf(kind, kind.example) : null;
  const source = new SourceText("telemetry", kind.name, fact ? excerptOf(fact) : JSON.stringify(kind.example));
  const quote = source.quote({ start: 0, end: source.text.length });
  const evidence: Evidence = {
    ...{ id: "e1", source: { kind: source.kind, name: source.name }, observed_at: failedAt, summary: sentence },
    ...{ location: null, ...quote, excerpt: quoteAs(quote.excerpt) },
  };
  return verify(
    { ...report, evidence: [evidence], timeline: [{ at: failedAt, what: sentence, evidence_id: "e1" }] },
    [source],
    { findings, facts: new Map(fact ? [["e1", fact]] : []) },
  ).report;
}
