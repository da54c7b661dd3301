import { describe, expect, it } from "vitest";
import type { Report } from "../../src/reports/report.ts";
import { citedIds, verifyReport } from "../../src/reports/verify.ts";

function evidence(id: string): Report["evidence"][number] {
  return {
    id,
    source: { kind: "error_log", name: "error_log" },
    observed_at: "2026-03-01T12:00:00.000Z",
    summary: "s",
    excerpt: "x",
    location: null,
    range: { start: 0, end: 1 },
    sha256: "0".repeat(64),
  };
}

function report(changes: Partial<Report> = {}): Report {
  const cause = { category: "null-dereference", statement: "It is null [e1].", location: null, service: null } as const;
  return {
    root_cause_summary: "It is null [e1].",
    root_cause: cause,
    chain: [{ what: "it is null", evidence_ids: ["e1"] }],
    candidates: [{ rank: 1, ...cause, score: 0.9, evidence_ids: ["e1"], support: [], against: [] }],
    detailed_analysis: "As seen [e1], and before [e2].",
    short_term_solutions: [{ title: "t", detail: "d", evidence_ids: ["e1"] }],
    long_term_solutions: [{ title: "t", detail: "d", evidence_ids: ["e2"] }],
    evidence: [evidence("e1"), evidence("e2")],
    timeline: [{ at: "2026-03-01T12:00:00.000Z", what: "w", evidence_id: "e2" }],
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

const missing = "cites e9, which is not in the evidence";
const nothing = "cites no evidence";
const solution = { title: "t", detail: "d" };

describe("a report", () => {
  it("holds when every statement cites existing evidence", () => {
    expect(verifyReport(report())).toEqual([]);
  });

  it("holds without a timeline and solutions", () => {
    expect(verifyReport(report({ timeline: [], short_term_solutions: [], long_term_solutions: [] }))).toEqual([]);
  });

  it.each<[string, Partial<Report>, string]>([
    ["root_cause_summary", { root_cause_summary: "It is null [e9]." }, missing],
    ["root_cause_summary", { root_cause_summary: "It is null." }, nothing],
    ["root_cause.statement", { root_cause: { ...report().root_cause, statement: "[e9]" } }, missing],
    ["root_cause.statement", { root_cause: { ...report().root_cause, statement: "" } }, nothing],
    ["detailed_analysis", { detailed_analysis: "[e1] [e2, e9]" }, missing],
    ["detailed_analysis", { detailed_analysis: "(e1) [1] [e01]" }, nothing],
    ["chain[0]", { chain: [{ what: "it is null", evidence_ids: ["e9"] }] }, missing],
    ["chain[0]", { chain: [{ what: "it is null", evidence_ids: [] }] }, nothing],
    ["candidates[0]", { candidates: report().candidates.map((one) => ({ ...one, evidence_ids: ["e9"] })) }, missing],
    ["candidates[0]", { candidates: report().candidates.map((one) => ({ ...one, evidence_ids: [] })) }, nothing],
    ["short_term_solutions[0]", { short_term_solutions: [{ ...solution, evidence_ids: ["e9"] }] }, missing],
    ["short_term_solutions[0]", { short_term_solutions: [{ ...solution, evidence_ids: [] }] }, nothing],
    ["long_term_solutions[0]", { long_term_solutions: [{ ...solution, evidence_ids: ["e9"] }] }, missing],
    ["long_term_solutions[0]", { long_term_solutions: [{ ...solution, evidence_ids: [] }] }, nothing],
    ["timeline[0]", { timeline: [{ at: "", what: "w", evidence_id: "e9" }] }, missing],
    ["evidence[2]", { evidence: [evidence("e1"), evidence("e2"), evidence("e1")] }, "repeats the id e1"],
  ])("doesn't hold at %s: %j", (where, changes, problem) => {
    expect(verifyReport(report(changes))).toEqual([{ where, problem }]);
  });

  it("lists every problem, not only the first", () => {
    expect(verifyReport(report({ evidence: [] })).length).toBeGreaterThan(5);
  });
});

describe("cited ids", () => {
  it.each([
    ["", []],
    ["no citation", []],
    ["[e1]", ["e1"]],
    ["[e1][e2] and [e1]", ["e1", "e2", "e1"]],
    ["[e1, e2,e10]", ["e1", "e2", "e10"]],
    ["[e0] [e01] [E1] [e1,  e2] e1 [e1", []],
  ])("of %j are %j", (prose, ids) => {
    expect(citedIds(prose)).toEqual(ids);
  });

  it("reports a chain link that precedes its cause by more than the clock error", () => {
    const chain = (at: string) => [
      { what: "the release", at: "2026-03-01T11:04:18.000Z", evidence_ids: ["e1"] },
      { what: "the failure", at, evidence_ids: ["e1"] },
    ];
    expect(verifyReport({ ...report(), chain: chain("2026-03-01T11:04:15.000Z") })).toEqual([]);
    expect(verifyReport({ ...report(), chain: chain("2026-03-01T11:02:17.000Z") })).toEqual([
      { where: "chain[1]", problem: "is earlier than a link that leads to it" },
    ]);
  });
});
