import { doNow, type Evidence, type Report } from "@whence/protocol";
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { citedEvidence } from "../../../../src/features/incidents/evidence/cited-evidence.ts";
import { causeLines } from "../../../../src/features/incidents/report/changed-lines.ts";
import { ReleaseCommits } from "../../../../src/features/incidents/report/release-commits.tsx";
import { suspectRelease } from "../../../../src/features/incidents/suspect-release.ts";
import { noon, sampleCandidate, sampleEvidence, sampleReport } from "../../../samples.ts";
import { shownText } from "../../../shown-text.ts";

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

describe("the release that the chain begins with", () => {
  it("is the one that the origin cites, with the commits that other evidence names", () => {
    const report = released([fact("e1", near), fact("e2", { ...near, commits: [commit] })]);
    expect(suspectRelease(report)).toMatchObject({ ...near, commits: [{ id: commit.id }] });
  });

  it("isn't a release that the code only ran in, one before it, or another service's", () => {
    expect(suspectRelease(released([]))).toBeNull();
    expect(suspectRelease(released([fact("e2", near)]))).toBeNull();
    expect(suspectRelease(released([fact("e1", { ...near, service: "orders" })]))).toBeNull();
    expect(suspectRelease(released([fact("e1", { ...near, previous: null })]))).toBeNull();
  });

  it("is shown with its last two commits, without a count of the earlier ones, which isn't known", () => {
    const commits = ["one", "two", "three"].map((subject) => ({ id: subject, author: "Ada", subject }));
    const shown = (last: number) =>
      shownText(createElement(ReleaseCommits, { suspect: { ...near, commits: commits.slice(0, last) } }));
    expect(shown(3)).toBe("payments 2.0.0, after 1.0.0 one one, by Ada two two, by Ada and earlier commits");
    expect(shown(2)).not.toContain("earlier");
  });
});

describe("what to do now", () => {
  const back = {
    ...{ title: "Roll `payments` back to `1.0.0`", detail: "", evidence_ids: ["e1"] },
    rolls_back: { service: "payments", to: "1.0.0" },
  };
  const live = fact("e1", { ...near, at: noon });
  const deployed = (vendor: string, changes: { target?: string; at?: string; url?: string } = {}): Evidence => ({
    ...fact("e5", {
      ...{ kind: "change-event", what: "rollout", title: "t", target: "payments", at: noon, by: null, failed: null },
      ...{ vendor, url: null, ...changes },
    }),
    source: { kind: "integration", name: vendor },
  });
  const first = (...deploys: Evidence[]) =>
    doNow(released([live, ...deploys], { short_term_solutions: [back, ...fixes] }))[0];
  const secondsLater = (seconds: number) => new Date(Date.parse(noon) + seconds * 1_000).toISOString();

  it("is what the report says, two at most, whatever release the chain begins with", () => {
    expect(doNow(released([live])).map(({ title }) => title)).toEqual(["a", "b"]);
    expect(doNow(released([fact("e1", { ...near, at: noon, verdict: "near" })])).map(({ title }) => title)).toEqual([
      ...["a", "b"],
    ]);
  });

  it("begins with the report's solution that rolls a release back, and has only one", () => {
    const solutions = [...fixes.slice(0, 1), back, { ...back, title: "again" }, ...fixes.slice(1)];
    const actions = doNow(released([live], { short_term_solutions: solutions }));
    expect(actions.map(({ title }) => title)).toEqual([back.title, "a"]);
    expect(actions[0]).toEqual(back);
  });

  it("has the command of the system whose only deployment of the service is the release's", () => {
    expect(first(deployed("Kubernetes"))?.command?.line).toBe("kubectl rollout undo deployment/payments");
    expect(first(deployed("Vercel"))?.command?.line).toBe("vercel rollback");
    expect(first(deployed("Kubernetes", { at: secondsLater(120) }))?.command).toBeDefined();
  });

  it("has no command where it could go back to another deployment", () => {
    expect(first(deployed("Kubernetes", { at: secondsLater(121) }))?.command).toBeUndefined();
    expect(first(deployed("Kubernetes"), deployed("Kubernetes", { at: secondsLater(600) }))?.command).toBeUndefined();
    expect(first(deployed("Kubernetes", { target: "orders" }))?.command).toBeUndefined();
    expect(first(deployed("GitHub"))?.command).toBeUndefined();
    const commits = [{ id: "cf2e6ccbfd26", author: "Ada", subject: "Rename" }];
    expect(first(fact("e1", { ...near, commits }))?.command).toBeUndefined();
  });

  it("has no command with a name that a shell would read as more than a name", () => {
    const service = "payments;reboot";
    const solution = { ...back, rolls_back: { ...back.rolls_back, service } };
    const evidence = [fact("e1", { ...near, service, at: noon }), deployed("Kubernetes", { target: service })];
    expect(doNow(released(evidence, { short_term_solutions: [solution] }))[0]?.command).toBeUndefined();
  });

  it("has the page of the connected system that deployed the service", () => {
    const url = "https://vercel.com/d";
    const link = { vendor: "Vercel", url };
    expect(first(deployed("Vercel", { url }))?.link).toEqual(link);
    expect(first(deployed("Vercel"), deployed("Vercel", { url, at: secondsLater(600) }))).toMatchObject({ link });
    expect(first(deployed("Vercel", { url, target: "orders" }))?.link).toBeUndefined();
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
