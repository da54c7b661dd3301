import { reportMarkdown } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { sampleEvidence, sampleIncident, sampleReport } from "../../../samples.ts";

const solution = (title: string) => ({ title, detail: `${title} it.`, evidence_ids: ["e1"] });

describe("a report as Markdown", () => {
  it("is its title, its place, and its URL while there is no report", () => {
    expect(reportMarkdown(sampleIncident({ status: "queued" }))).toBe(
      "# TypeError: a is undefined\n\nshop · PROD · queued\nhttps://whence.example/incidents/inc_1\n",
    );
  });

  it("shows a title from outside as it is, without links, images, or HTML", () => {
    const title = "![x](https://evil.example/x.png) <img src=y> www.evil.example";
    expect(reportMarkdown(sampleIncident({ title, status: "queued" }))).toContain(
      "# \\!\\[x\\]\\(https\\://evil.example/x.png\\) \\<img src=y\\> www\\.evil.example\n",
    );
  });

  it("leaves out an unknown service and environment", () => {
    expect(reportMarkdown(sampleIncident({ service: null, env: null }))).toContain("\n\ncompleted\n");
  });

  it("has its sections in order, without empty ones", () => {
    const report = sampleReport({
      short_term_solutions: [solution("Revert")],
      not_checked: ["The database."],
    });
    const sections = reportMarkdown(sampleIncident({ report })).matchAll(/^## (.*)$/gm);
    expect([...sections].map(([, name]) => name)).toEqual([
      "Root cause",
      "Causal chain",
      "Do now",
      "Evidence",
      "Not checked",
    ]);
  });

  it("has the patch as a diff after the fix", () => {
    const patch = {
      ...{ kind: "missing-await", repair: "await", what: "Awaits it.", diff: "--- a/a.js\n+++ b/a.js\n" },
      ...{ files: [{ file: "a.js", sha256: "0".repeat(64) }], evidence_ids: ["e1"] },
    };
    expect(reportMarkdown(sampleIncident({ report: sampleReport({ patch }) }))).toContain(
      "## Patch\n\nAwaits it.\n\n```diff\n--- a/a.js\n+++ b/a.js\n```\n",
    );
  });

  it("states the confidence, and numbers the chain", () => {
    const chain = ["deployed", "failed"].map((what) => ({ what, evidence_ids: [] }));
    const text = reportMarkdown(sampleIncident({ report: sampleReport({ chain }) }));
    expect(text).toContain("## Root cause\n\n`items` is undefined [e1].\n\nConfidence: 78%\n");
    expect(text).toContain("## Causal chain\n\n1. deployed\n2. failed\n");
  });

  it("has each solution in bold, and each piece of evidence with its source", () => {
    const text = reportMarkdown(
      sampleIncident({
        report: sampleReport({
          long_term_solutions: [solution("Validate")],
          evidence: [sampleEvidence(), sampleEvidence({ id: "e2", summary: "log" })],
        }),
      }),
    );
    expect(text).toContain("## Prevent it\n\n- **Validate** Validate it.\n");
    expect(text).toContain("- [e1] `items` is read (src/cart.js)\n- [e2] log (src/cart.js)\n");
  });

  it("has the two things to do that the page shows, a roll-back first", () => {
    const back = { ...solution("Roll back"), rolls_back: { service: "shop", to: "1.0.0" } };
    const short_term_solutions = [solution("Guard"), solution("Retry"), back];
    expect(reportMarkdown(sampleIncident({ report: sampleReport({ short_term_solutions }) }))).toContain(
      "## Do now\n\n- **Roll back** Roll back it.\n- **Guard** Guard it.\n\n",
    );
  });
});
