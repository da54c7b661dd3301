import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Evidence } from "../../src/reports/evidence.ts";
import type { Report } from "../../src/reports/report.ts";
import type { VerifiableSource } from "../../src/reports/verifiable-source.ts";
import { verifyWithSources } from "../../src/reports/verify-sources.ts";

const text = "const a = 1;\nconst ü = f(a);\nü.name;\n";
const sourceOf = (content: string, name = "src/a.js"): VerifiableSource => ({
  name,
  text: content,
  sha256: createHash("sha256").update(content, "utf8").digest("hex"),
});
const source = sourceOf(text);
const place = { file: "src/a.js", line: 2, function: null };

/** A quote of the second line of the text. */
const quote: Evidence = {
  id: "e1",
  source: { kind: "source_file", name: "src/a.js" },
  observed_at: "2026-03-01T12:00:00.000Z",
  summary: "s",
  excerpt: "const ü = f(a);",
  location: place,
  range: { start: 13, end: 29 },
  sha256: source.sha256,
};

function report(changes: Partial<Report> = {}): Report {
  const cause = {
    category: "null-dereference",
    statement: "It is null [e1].",
    location: place,
    service: null,
  } as const;
  return {
    root_cause_summary: "It is null [e1].",
    root_cause: cause,
    chain: [{ what: "it is null", evidence_ids: ["e1"] }],
    candidates: [{ rank: 1, ...cause, score: 0.9, evidence_ids: ["e1"], support: [], against: [] }],
    detailed_analysis: "As seen [e1].",
    short_term_solutions: [],
    long_term_solutions: [],
    evidence: [quote],
    timeline: [
      { at: "2026-03-01T12:00:00.000Z", what: "w", evidence_id: "e1" },
      { at: "2026-03-01T12:00:00.000Z", what: "w", evidence_id: "e1" },
    ],
    impact: {
      summary: "s",
      first_seen: null,
      last_seen: null,
      events: 1,
      services: [],
      routes: [],
      hosts: [],
      releases: [],
    },
    confidence: { score: 0.5, basis: "b" },
    predictions: [],
    not_checked: [],
    provenance: {},
    engine: { name: "e", version: "1" },
    ...changes,
  };
}

const withEvidence = (changes: Partial<Evidence>): Report => report({ evidence: [{ ...quote, ...changes }] });
const problemsOf = (checked: Report, sources: readonly VerifiableSource[] = [source]) =>
  verifyWithSources(checked, sources).problems.map(({ where, problem }) => `${where}: ${problem}`);

describe("a report verified with its sources", () => {
  it("holds when every quote is where the evidence says", () => {
    expect(verifyWithSources(report(), [source])).toEqual({ problems: [], quotes: [{ id: "e1", state: "found" }] });
  });

  it("finds a source by its digest, whatever its name", () => {
    expect(verifyWithSources(report(), [sourceOf(text, "pasted.txt")]).quotes).toEqual([{ id: "e1", state: "found" }]);
  });

  it("lists the quotes that couldn't be checked, and why", () => {
    const states = (checked: Report, sources: readonly VerifiableSource[]) =>
      verifyWithSources(checked, sources).quotes.map(({ state }) => state);
    expect(states(report(), [])).toEqual(["not given"]);
    expect(states(report(), [sourceOf("else", "other.js")])).toEqual(["not given"]);
    expect(states(report(), [sourceOf(`${text} `, "work/src/a.js")])).toEqual(["other version"]);
    expect(states(withEvidence({ range: null }), [source])).toEqual(["computed"]);
  });

  it("finds quoted code at its lines when only those are available, or the file changed elsewhere", () => {
    const states = (changes: Partial<Evidence>, content: string) =>
      verifyWithSources(withEvidence(changes), [sourceOf(content, "work/src/a.js")]).quotes.map(({ state }) => state);
    expect(states({ first_line: 2 }, `${text} `)).toEqual(["at its lines"]);
    expect(states({ first_line: 2 }, text.replaceAll("\n", "\r\n"))).toEqual(["at its lines"]);
    expect(states({ first_line: 1 }, `${text} `)).toEqual(["other version"]);
    expect(states({ first_line: 2 }, `// new\n${text}`)).toEqual(["other version"]);
    expect(states({ first_line: 99 }, text.slice(0, 5))).toEqual(["other version"]);
  });

  it("doesn't hold when quoted code begins on another line than stated", () => {
    expect(problemsOf(withEvidence({ first_line: 2 }))).toEqual([]);
    expect(problemsOf(withEvidence({ first_line: 1 }))).toEqual([
      "e1: its excerpt begins on line 2 of src/a.js, and not on 1",
    ]);
  });

  it("doesn't hold when an excerpt isn't in its source, or is longer than its range", () => {
    expect(problemsOf(withEvidence({ excerpt: "const ü = g(a);" }))).toEqual([
      "e1: its excerpt is not what src/a.js has there",
    ]);
    for (const end of [28, 30]) {
      expect(problemsOf(withEvidence({ range: { start: 13, end } }))).toEqual([
        "e1: its range is not as long as its excerpt",
      ]);
    }
    expect(problemsOf(withEvidence({ range: { start: 12, end: 28 } }))).toHaveLength(1);
  });

  it("doesn't hold when the cited line isn't among the quoted lines", () => {
    for (const line of [1, 3]) {
      const location = { ...place, line };
      expect(
        problemsOf({ ...withEvidence({ location }), root_cause: { ...report().root_cause, location }, candidates: [] }),
      ).toEqual([`e1: its excerpt does not have line ${line} of src/a.js`]);
    }
  });

  it("doesn't hold when a cause is at a place without evidence", () => {
    const location = { ...place, line: 3 };
    expect(problemsOf(report({ root_cause: { ...report().root_cause, location } }))).toEqual([
      "root_cause.location: no evidence is at src/a.js:3",
    ]);
  });

  it("doesn't hold when a place is beyond the end of its file", () => {
    const at = (line: number): Report => {
      const location = { ...place, line };
      const evidence = [
        quote,
        { ...quote, id: "e2", source: { kind: "stack_frame" as const, name: "error log" }, location },
      ];
      return report({ evidence, root_cause: { ...report().root_cause, location } });
    };
    expect(problemsOf(at(4))).toEqual([]);
    expect(problemsOf(at(5))).toEqual(["root_cause.location: src/a.js has 4 lines, and no line 5"]);
  });

  it("doesn't hold when times are invalid or out of order", () => {
    const [early, late] = ["2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00.001Z"];
    const entry = { what: "w", evidence_id: "e1" };
    expect(
      problemsOf(
        report({
          timeline: [
            { at: early, ...entry },
            { at: late, ...entry },
          ],
        }),
      ),
    ).toEqual([]);
    expect(
      problemsOf(
        report({
          timeline: [
            { at: late, ...entry },
            { at: early, ...entry },
          ],
        }),
      ),
    ).toEqual([`timeline: ${early} comes after ${late}`]);
    expect(problemsOf(report({ impact: { ...report().impact, first_seen: late, last_seen: early } }))).toHaveLength(1);
    expect(problemsOf(withEvidence({ observed_at: "yesterday" }))).toEqual(['e1: "yesterday" is no time']);
    const times = { created_at: late, started_at: null, completed_at: early };
    expect(verifyWithSources(report(), [source], times).problems).toHaveLength(1);
  });

  it("doesn't hold when a statement cites nothing", () => {
    expect(problemsOf(report({ detailed_analysis: "As everybody knows." }))).toEqual([
      "detailed_analysis: cites no evidence",
    ]);
  });
});
