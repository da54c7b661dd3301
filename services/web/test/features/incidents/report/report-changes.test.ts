import type { Report, ReportVersion } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { versionChanges } from "../../../../src/features/incidents/report/report-changes.ts";

const report: Report = {
  root_cause_summary: "It broke [e1].",
  chain: [],
  root_cause: {
    category: "bad-config",
    statement: "It broke [e1].",
    service: "orders",
    location: { file: "src/a.js", line: 3, function: "a" },
  },
  candidates: [],
  detailed_analysis: "",
  short_term_solutions: [],
  long_term_solutions: [],
  evidence: [],
  timeline: [],
  impact: {
    summary: "",
    first_seen: null,
    last_seen: null,
    events: 0,
    services: [],
    routes: [],
    hosts: [],
    releases: [],
  },
  confidence: { score: 0.41, basis: "" },
  predictions: [],
  not_checked: [],
  provenance: {},
  engine: { name: "whence", version: "0.0.0" },
};
const at = "2026-03-01T12:00:00.000Z";
const changes = (...reports: readonly Report[]) =>
  versionChanges(
    reports.map((one, index): ReportVersion => ({ version: reports.length - index, at, report: one })),
  ).map((one) => one.changes);

describe("the versions of a report", () => {
  it("show what changed: the cause, the confidence, the evidence", () => {
    const later: Report = {
      ...report,
      root_cause: { ...report.root_cause, location: null, service: "payments", category: "schema-drift" },
      confidence: { score: 0.78, basis: "" },
    };
    expect(changes(later, report)).toEqual([
      ["Cause: orders src/a.js:3 → payments schema-drift", "Confidence: 41% → 78%"],
    ]);
  });

  it("don't mention the cause when only its line moved", () => {
    const moved = { ...report.root_cause, location: { file: "src/a.js", line: 9, function: "a" } };
    expect(changes({ ...report, root_cause: moved, root_cause_summary: "It broke there [e1]." }, report)).toEqual([
      ["Wording"],
    ]);
  });

  it("begin with one that changed nothing", () => {
    expect(changes(report)).toEqual([]);
  });
});
