import type { Incident } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { incidentBody } from "../../src/pages/incident-page.ts";

const attack = '<img src=x onerror="alert(1)">';

const incident: Incident = {
  id: "inc_1",
  organization_id: "org_1",
  status: "completed",
  title: attack,
  severity: "high",
  trigger: { kind: "analyze", agent_id: null, files: 0 },
  service: attack,
  env: "PROD",
  fingerprint: null,
  decision: { outcome: "opened", rule: "new-failure", reason: attack },
  created_at: "2026-03-01T12:00:00.000Z",
  started_at: null,
  completed_at: null,
  url: "https://whence.example.com/incidents/inc_1",
  report: {
    root_cause_summary: `\`cart\` was undefined [e1] ${attack}`,
    root_cause: { category: "unknown", statement: "x [e1]", location: { file: attack, line: 3, function: attack } },
    candidates: [{ rank: 1, category: "unknown", statement: attack, location: null, score: 0.5, evidence_ids: ["e1"] }],
    detailed_analysis: `It broke [e1].\n\n${attack}\n\n\`\`\`\n${attack}\n\`\`\``,
    short_term_solutions: [{ title: attack, detail: attack, evidence_ids: ["e1"] }],
    long_term_solutions: [],
    evidence: [
      {
        id: "e1",
        source: { kind: "error_log", name: attack },
        observed_at: "2026-03-01T12:00:00.000Z",
        summary: attack,
        excerpt: attack,
        location: null,
        range: null,
        sha256: "a".repeat(64),
      },
    ],
    timeline: [{ at: "2026-03-01T12:00:00.000Z", what: attack, evidence_id: "e1" }],
    impact: {
      summary: attack,
      first_seen: null,
      last_seen: null,
      events: 0,
      services: [],
      routes: [],
      hosts: [],
      releases: [],
    },
    confidence: { score: 0.42, basis: attack },
    predictions: [{ statement: attack, check: attack, due: null, outcome: "open" }],
    not_checked: [attack],
    provenance: {},
    engine: { name: "whence", version: "0.0.0" },
  },
};

const { text } = incidentBody(incident);

describe("the page of an incident", () => {
  it("shows what an attacker wrote as text, wherever it stands in the report", () => {
    expect(text).not.toContain("<img");
    expect(text.match(/&#60;img/g)?.length).toBeGreaterThan(15);
  });

  it("links each citation to its evidence, also those in the analysis", () => {
    expect(text).toContain('<section id="e1">');
    expect(text).toContain('<code>cart</code> was undefined <a href="#e1">[e1]</a>');
    expect(text).toContain('It broke <a href="#e1">[e1]</a>');
  });

  it("says how sure it is, and why", () => {
    expect(text).toContain("Confidence 42 %.");
  });

  it("says that the investigation is under way, or why it failed, without a report", () => {
    const { report, ...open } = incident;
    expect(incidentBody({ ...open, status: "investigating" }).text).toContain("under way");
    const failed = incidentBody({ ...open, status: "failed", failure: { code: "X_CODE", message: "it broke" } }).text;
    expect(failed).toContain("it broke (X_CODE)");
    expect(failed).not.toContain("under way");
  });
});
