import type { Evidence, Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { supersedes, waitsForSources } from "../../src/investigations/refinement/supersedes.ts";
import { reportWith } from "../ended-report.ts";

const evidence = (id: string, name: string, excerpt: string): Evidence => ({
  ...{ id, source: { kind: "telemetry", name }, observed_at: "2026-03-01T10:00:00.000Z", summary: "" },
  ...{ excerpt, range: null, sha256: "0".repeat(64), location: null },
});
const calls = evidence("e1", "failing calls", "payments answered 503");
const deploy = evidence("e2", "releases", "payments 1.0.1 was deployed");

const evidenceOfCode: Evidence = { ...calls, id: "e3", source: { kind: "source_file", name: "src/limits.ts" } };

/** A report that blames a service for the evidence cited. */
function blaming(service: string, cited: readonly Evidence[], all = cited): Report {
  const evidence_ids = cited.map(({ id }) => id);
  return reportWith({
    root_cause: { category: "dependency-outage", statement: "It broke [e1].", location: null, service },
    chain: [{ what: "it broke", evidence_ids }],
    evidence: [...all],
  });
}

describe("a later version of a report", () => {
  const first = blaming("payments", [calls]);

  it("replaces the first when it names the same cause", () => {
    expect(supersedes(first, blaming("payments", [calls, deploy]))).toBe(true);
  });

  it("names another cause only for evidence that the first didn't have", () => {
    expect(supersedes(first, blaming("orders", [calls]))).toBe(false);
    expect(supersedes(first, blaming("orders", [{ ...calls, id: "e7", summary: "in more words" }]))).toBe(false);
    expect(supersedes(first, blaming("orders", [deploy], [calls, deploy]))).toBe(true);
  });

  it("names the first cause, whatever the version without one cited", () => {
    const unknown = { ...first, confidence: { ...first.confidence, score: 0.1 } };
    const other = blaming("orders", [deploy]);
    expect(supersedes(unknown, blaming("orders", [evidenceOfCode]))).toBe(true);
    expect(supersedes(first, blaming("orders", [evidenceOfCode]))).toBe(false);
    expect(supersedes(unknown, { ...other, confidence: unknown.confidence })).toBe(false);
  });

  it("names another cause once the first one's was seen not to be it", () => {
    const place = { file: "src/plan.js", line: 3, function: "planOf" };
    const candidate = {
      ...({ rank: 1, category: "unknown", statement: "", location: place, service: null, score: 0.5 } as const),
      ...{ evidence_ids: [] as string[], support: [] as string[], against: [] as string[] },
    };
    const named = { ...first, candidates: [candidate] };
    const other = blaming("orders", [calls]);
    expect(supersedes(named, { ...other, candidates: [{ ...candidate, seen: "refuted" }] })).toBe(true);
    expect(supersedes(named, { ...other, candidates: [candidate] })).toBe(false);
  });

  it("doesn't replace the first when a source that it relied on is too slow this time", () => {
    const slow = { ...blaming("payments", []), not_checked: ["Failing calls: no answer within 8 s."] };
    expect(supersedes(first, slow)).toBe(false);
    expect(supersedes(first, { ...blaming("payments", [calls]), not_checked: slow.not_checked })).toBe(true);
    expect(supersedes({ ...first, not_checked: slow.not_checked }, slow)).toBe(true);
    expect(supersedes(first, blaming("payments", []))).toBe(true);
  });

  it("replaces the first once its cause was seen, however slow a source is", () => {
    const candidate = {
      ...({ rank: 1, category: "unknown", statement: "", location: null, service: null, score: 0.5 } as const),
      ...{ evidence_ids: ["e1"], support: [] as string[], against: [] as string[] },
    };
    const slow = { ...blaming("payments", []), not_checked: ["Failing calls: no answer within 8 s."] };
    const [unseen, seen] = [slow, slow].map((report, index) => ({
      ...report,
      candidates: [index === 0 ? candidate : { ...candidate, seen: "confirmed" as const }],
    }));
    expect(unseen && supersedes({ ...first, candidates: [candidate] }, unseen)).toBe(false);
    expect(seen && supersedes({ ...first, candidates: [candidate] }, seen)).toBe(true);
  });

  it("waits for a source that is too slow, but not for another cause", () => {
    const slow = { ...blaming("payments", []), not_checked: ["Failing calls: no answer within 8 s."] };
    expect(waitsForSources(first, slow)).toBe(true);
    expect(waitsForSources(first, blaming("payments", [calls, deploy]))).toBe(false);
    expect(waitsForSources(first, blaming("orders", [calls]))).toBe(false);
  });

  it("names no other cause because a collector didn't answer this time", () => {
    expect(supersedes(first, blaming("orders", [deploy]))).toBe(false);
  });
});
