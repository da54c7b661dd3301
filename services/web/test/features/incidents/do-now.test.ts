import type { Evidence, Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { causeLines } from "../../../src/features/incidents/changed-lines.ts";
import { citedEvidence } from "../../../src/features/incidents/cited-evidence.ts";
import { doNow } from "../../../src/features/incidents/do-now.ts";
import { suspectRelease } from "../../../src/features/incidents/suspect-release.ts";
import { sampleCandidate, sampleEvidence, sampleReport } from "../../samples.ts";

const commit = { id: "cf2e6ccbfd26b81bd7ac3ba2a442f30e8bc21732", author: "Ada", subject: "Rename", at: "" };
const { first_line: _, ...unquoted } = sampleEvidence();
const fact = (id: string, data: object): Evidence => ({
  ...unquoted,
  id,
  source: { kind: "telemetry", name: "releases" },
  excerpt: JSON.stringify(data),
  location: null,
});
const near = { service: "payments", release: "2.0.0", previous: "1.0.0" };
const fixes = ["a", "b", "c"].map((title) => ({ title, detail: "", evidence_ids: [] }));
const diff: Evidence = {
  ...unquoted,
  id: "e9",
  source: { kind: "source_file", name: "body.ts" },
  excerpt: "@@ -5,1 +5,1 @@\n-  a\n+  b",
  location: { file: "body.ts", line: 5, function: null },
};

/** A report whose chain begins with a release. */
function released(evidence: readonly Evidence[], changes: Partial<Report> = {}): Report {
  const origin = { what: "it changed", service: "payments", release: "2.0.0", evidence_ids: ["e1", "e9"] };
  return sampleReport({ chain: [origin], evidence: [...evidence], short_term_solutions: fixes, ...changes });
}

describe("the release that the cause came with", () => {
  it("is the one that the origin cites, with the commits that other evidence names", () => {
    const report = released([fact("e1", near), fact("e2", { ...near, commits: [commit] })]);
    expect(suspectRelease(report)).toMatchObject({ ...near, commits: [{ id: commit.id }], evidenceIds: ["e1", "e2"] });
  });

  it("isn't a release that the code only ran in, one before it, or another service's", () => {
    expect(suspectRelease(released([]))).toBeNull();
    expect(suspectRelease(released([fact("e2", near)]))).toBeNull();
    expect(suspectRelease(released([fact("e1", { ...near, service: "orders" })]))).toBeNull();
    expect(suspectRelease(released([fact("e1", { ...near, previous: null })]))).toBeNull();
  });
});

describe("what to do now", () => {
  it("is what the report says, two at most, when no release is the cause", () => {
    expect(doNow(released([])).map(({ title }) => title)).toEqual(["a", "b"]);
  });

  it("begins with rolling back the release that is the cause", () => {
    const [first, second, ...others] = doNow(released([fact("e1", near)]));
    expect(first).toMatchObject({ title: "Roll back `payments` to 1.0.0", evidence_ids: ["e1"] });
    expect(first?.command).toBeUndefined();
    expect([second?.title, others]).toEqual(["a", []]);
  });

  it("has the command that reverts the release's commit, when it has only one", () => {
    const commandOf = (commits: object[]) => doNow(released([fact("e1", { ...near, commits })]))[0]?.command;
    expect(commandOf([commit])).toBe("git revert cf2e6ccbfd26");
    expect(commandOf([commit, { ...commit, id: "1" }])).toBeUndefined();
  });

  it("has the command and the page of the connected system that deployed the service", () => {
    const deployed = (vendor: string, url: string | null, target: string): Evidence => ({
      ...fact("e5", {
        ...{ kind: "change-event", what: "rollout", title: "t", target, at: "", by: null, failed: null },
        ...{ vendor, url },
      }),
      source: { kind: "integration", name: vendor },
    });
    const first = (evidence: Evidence) => doNow(released([fact("e1", { ...near, commits: [commit] }), evidence]))[0];
    expect(first(deployed("Kubernetes", null, "payments"))?.command).toBe("kubectl rollout undo deployment/payments");
    expect(first(deployed("Vercel", "https://vercel.com/d", "payments"))).toMatchObject({
      ...{ command: "vercel rollback", link: { vendor: "Vercel", url: "https://vercel.com/d" } },
    });
    expect(first(deployed("Kubernetes", null, "orders"))?.command).toBe("git revert cf2e6ccbfd26");
  });
});

describe("the lines of the cause", () => {
  it("are the changed lines that the origin cites, under the name of their own file", () => {
    const lines = causeLines(released([sampleEvidence(), diff]));
    expect(lines).toEqual({
      kind: "diff",
      place: diff.location,
      lines: ["@@ -5,1 +5,1 @@", "-  a", "+  b"],
    });
  });

  it("are the code at the cause when nothing changed", () => {
    expect(causeLines(sampleReport())).toMatchObject({ kind: "code", quoted: { file: "src/cart.js", line: 12 } });
    expect(causeLines(sampleReport({ evidence: [] }))).toBeNull();
  });
});

describe("the evidence that a page lists", () => {
  it("is what anything cites, each piece once", () => {
    const evidence = ["e1", "e2", "e3", "e4"].map((id) => sampleEvidence({ id }));
    const candidates = [sampleCandidate({ evidence_ids: ["e1"], against: ["it ran before [e3]"] })];
    const report = sampleReport({ evidence, candidates, detailed_analysis: "[e4]" });
    expect(citedEvidence(report).map(({ id }) => id)).toEqual(["e1", "e3"]);
  });
});
