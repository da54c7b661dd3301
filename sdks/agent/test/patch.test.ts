import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Incident, openedLifecycle, type Patch, type Report } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { printPatch } from "../src/commands/printed-incident.ts";
import { reportMarkdown } from "../src/terminal/report-markdown.ts";
import { reportText } from "../src/terminal/report-text.ts";
import { styleFor } from "../src/terminal/style.ts";

const diff = `--- a/cart.js
+++ b/cart.js
@@ -1,3 +1,3 @@
 async function total(cart) {
-\treturn sum(load(cart));
+\treturn sum(await load(cart));
 }
`;

const patch: Patch = {
  ...{ kind: "unawaited-value", repair: "await", what: "Awaits `load`.", diff },
  files: [{ file: "cart.js", sha256: "0".repeat(64) }],
  evidence_ids: ["e1"],
};

const report: Report = {
  ...{ root_cause_summary: "`load` isn't awaited [e1].", chain: [], candidates: [], detailed_analysis: "It isn't." },
  root_cause: { category: "missing-await", statement: "It isn't awaited [e1].", location: null, service: null },
  ...{ short_term_solutions: [], long_term_solutions: [], patch, evidence: [], timeline: [], predictions: [] },
  impact: {
    ...{ summary: "", first_seen: null, last_seen: null, events: 0, services: [], routes: [], hosts: [], releases: [] },
  },
  ...{
    confidence: { score: 0.8, basis: "" },
    not_checked: [],
    provenance: {},
    engine: { name: "whence", version: "0" },
  },
};

const incidentWith = (of: Report | undefined): Incident => ({
  ...{ id: "inc_1", organization_id: null, status: "completed", title: "Error: boom", severity: "high" },
  ...{ trigger: { kind: "analyze", agent_id: null, files: 0 }, service: null, env: null, fingerprint: null },
  lifecycle: openedLifecycle("2026-03-01T12:00:00.000Z"),
  owner: null,
  acknowledged: null,
  decision: { outcome: "opened", reason: "r", rule: "asked" },
  ...{ created_at: "2026-03-01T12:00:00.000Z", started_at: null, completed_at: null, url: "http://a/incidents/inc_1" },
  ...(of && { report: of }),
});

const printed = (of: Report | undefined, isTerminal: boolean): { code: number; out: string; problem: string } => {
  const written = { out: "", problem: "" };
  const output = (to: keyof typeof written) => ({
    ...{ isTerminal, columns: 80, style: styleFor(false) },
    write: (text: string) => {
      written[to] += text;
    },
  });
  const code = printPatch(incidentWith(of), { stdout: output("out"), stderr: output("problem") });
  return { code, ...written };
};

describe("whence show --patch", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "whence-patch-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("prints what git apply reads", () => {
    writeFileSync(join(folder, "cart.js"), "async function total(cart) {\n\treturn sum(load(cart));\n}\n");
    const { stderr, status } = spawnSync("git", ["apply"], {
      ...{ cwd: folder, input: printed(report, false).out, encoding: "utf8" },
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(readFileSync(join(folder, "cart.js"), "utf8")).toContain("sum(await load(cart))");
  });

  it("prints nothing that a terminal acts on", () => {
    const hostile = { ...patch, diff: diff.replace("total", "\u001b[31mtotal") };
    expect(printed({ ...report, patch: hostile }, true).out).not.toContain("\u001b");
  });

  it("fails, and says why, without a patch", () => {
    const { patch: _, ...without } = report;
    expect(printed(without, false)).toEqual({
      ...{ code: 1, out: "", problem: "inc_1 has no patch: its report knows no repair.\n" },
    });
    expect(printed(undefined, false).problem).toBe("inc_1 has no patch: it has no report.\n");
  });
});

describe("a report with a patch", () => {
  it("has it as a block of Markdown that its text can't close", () => {
    expect(reportMarkdown(incidentWith(report))).toContain("## Patch\n\nAwaits `load`.\n\n```diff\n--- a/cart.js\n");
    const fenced = { ...patch, diff: diff.replace("sum(load", "```(load") };
    expect(reportMarkdown(incidentWith({ ...report, patch: fenced }))).toContain("````diff\n");
  });

  it("has it as text, with how to apply it", () => {
    const text = reportText(incidentWith(report), { style: styleFor(false), columns: 80, files: [] });
    expect(text).toContain("Patch\n  Awaits `load`.\n  --- a/cart.js\n");
    expect(text).toContain("whence show ID --patch | git apply");
  });
});
