import type { InvestigationSubject, SourceFiles } from "@whence/engine";
import { describe, expect, it } from "vitest";
import { agreed, type RunProposal } from "../../src/model-run/agreement.ts";
import { CaseFiles } from "../../src/model-run/case-files.ts";
import { modelRunLimits } from "../../src/model-run/limits.ts";
import type { ModelCase } from "../../src/model-run/model-case.ts";
import { stepOf } from "../../src/model-run/model-step.ts";
import type { Proposed } from "../../src/model-run/proposal.ts";
import { TelemetryQueries } from "../../src/model-run/telemetry-queries.ts";
import { refusals, ToolCalls } from "../../src/model-run/tool-calls.ts";
import type { UsedTool } from "../../src/model-run/tool-surroundings.ts";
import { toolsOf } from "../../src/model-run/tools.ts";
import { redactor } from "../../src/models/redaction/redact.ts";
import { reportWith } from "../ended-report.ts";

const subject: InvestigationSubject = {
  incident: { id: "inc_1", service: null, env: null, fingerprint: null },
  input: { kind: "text", errorLog: "Error: stale", files: [{ name: "/srv/shop/src/price.js", content: "price();\n" }] },
};
const tree: SourceFiles = {
  paths: async () => ["src/price.js", "src/load.js", "a/index.js", "b/index.js"],
  read: async (path) => ({ outcome: "read", text: `// ${path}\n`, version: "1" }),
};
const given = subject.input.files ?? [];
const files = (): CaseFiles => new CaseFiles(given, tree);

describe("a model's path", () => {
  it.each([
    ["/srv/shop/src/price.js", "/srv/shop/src/price.js"],
    ["price.js", "/srv/shop/src/price.js"],
    ["/app/src/load.js", "src/load.js"],
    ["load.js", "src/load.js"],
    ["index.js", null],
    ["src/other.js", null],
  ])("is the only file that ends alike: %s", async (path, name) => {
    expect(await files().named(path)).toBe(name);
  });

  it("opens a file by any of its names once", async () => {
    const opening = files();
    expect(await opening.lines("load.js")).toEqual(["// src/load.js", ""]);
    await opening.lines("/app/src/load.js");
    expect(opening.opened.map(({ name }) => name)).toEqual(["src/load.js"]);
  });

  it("is the same in runs that write it in several ways", async () => {
    const proposed = (file: string): Proposed => ({
      ...{ category: "unknown", stance: "supports", sentence: "", citations: [] },
      subject: { kind: "place", file, line: 1, function: null },
    });
    const runs = await Promise.all(["load.js", "/app/src/load.js"].map((file) => files().withNames([proposed(file)])));
    const [shown, blind] = runs.map((one, run) => ({ proposed: one, isBlind: run > 0 }));
    expect(
      agreed(
        "m",
        [shown, blind].flatMap((one) => one ?? []),
      ),
    ).toMatchObject([{ subject: { file: "src/load.js" }, runs: 2, first: { runs: 2, blind: 1 } }]);
  });
});

describe("what independent runs propose", () => {
  const about = (file: string, stance: Proposed["stance"] = "supports"): Proposed => ({
    ...{ category: "unknown", stance, sentence: "", citations: [] },
    subject: { kind: "place", file, line: 1, function: null },
  });
  const firsts = (...runs: readonly RunProposal[]) =>
    agreed("m", runs).map(({ subject, stance, runs: all, of, first }) => [
      subject.kind === "place" && subject.file,
      ...[stance, all, of, first.runs, first.blind],
    ]);

  it("counts how many name a thing as the most likely cause, and how many of them don't know the engine's report", () => {
    const shown = { isBlind: false, proposed: [about("a.js"), about("b.js")] };
    const blind = { isBlind: true, proposed: [about("c.js", "refutes"), about("b.js"), about("a.js")] };
    expect(firsts(shown, blind)).toEqual([
      ["a.js", "supports", 2, 2, 1, 0],
      ["b.js", "supports", 2, 2, 1, 1],
      ["c.js", "refutes", 1, 2, 0, 0],
    ]);
  });

  it("counts a thing that a run names twice once, and a run without an answer for nothing", () => {
    const failed = { isBlind: true, proposed: null };
    expect(firsts({ isBlind: false, proposed: [about("a.js"), about("a.js")] }, failed)).toEqual([
      ["a.js", "supports", 1, 2, 1, 0],
    ]);
  });
});

describe("the tool calls of a run", () => {
  it("are limited in number, whatever they ask", () => {
    const calls = new ToolCalls();
    const made = Array.from({ length: modelRunLimits.toolCalls }, () => calls.refused("read_file"));
    expect(made.every((refused) => refused === null)).toBe(true);
    expect(calls.refused("read_file")).toBe(refusals.calls);
  });

  it.each([
    ["test_hypothesis", modelRunLimits.tests],
    ["query_telemetry", modelRunLimits.queries],
  ])("are limited in number of %s", (name, most) => {
    const calls = new ToolCalls();
    const made = Array.from({ length: most }, () => calls.refused(name));
    expect(made.every((refused) => refused === null)).toBe(true);
    expect(calls.refused(name)).toBe(refusals.kind);
    expect(calls.refused("read_file")).toBeNull();
  });
});

describe("what a tool answers", () => {
  const answers = async (tool: string, input: object, broken: Partial<SourceFiles> = {}) => {
    const steps: UsedTool[] = [];
    const privacy = redactor();
    const tools = toolsOf(modelCase, {
      files: new CaseFiles(given, { ...tree, ...broken }),
      calls: new ToolCalls(),
      show: (_, text, cut = (whole) => whole) => cut(privacy.redact(text)),
      onUse: async (used) => void steps.push(used),
    });
    const answer: unknown = await tools[tool]?.execute?.(input, { toolCallId: "c1", messages: [], context: {} });
    return { answer, steps };
  };
  const modelCase: ModelCase = {
    ...{ incidentId: "inc_1", route: "developer", subject, tree, preferences: "" },
    telemetry: new TelemetryQueries(null, { env: "prod", at: null }),
    collected: async () => ({ observations: [], notChecked: [] }),
    report: reportWith(),
    test: async () => reportWith(),
  };

  it("has nothing of what it failed with", async () => {
    const paths = async (): Promise<never> => {
      throw new Error("postgres://app:hunter2@db/shop is down");
    };
    const { answer, steps } = await answers("list_files", {}, { paths });
    expect(answer).toBe(refusals.failed);
    expect(steps).toEqual([{ name: "list_files", input: {}, outcome: refusals.failed, result: null }]);
  });

  it("is kept as a step, redacted and cut", () => {
    const used = { name: "read_file", input: { file: "ada@example.org" }, outcome: "1 line" };
    const step = stepOf({ ...used, result: `bob@example.org ${"x".repeat(5_000)}` }, redactor());
    expect(step.detail).toMatch(/^read_file .*\[email \d\].*: 1 line$/);
    expect(step.result).toMatch(/^\[email \d\] x+\n\(cut\)$/);
    const text = step.result?.replace(/\n\(cut\)$/, "") ?? "";
    expect(Buffer.byteLength(text)).toBe(modelRunLimits.stepResultBytes);
    const whole = "y".repeat(modelRunLimits.stepResultBytes);
    expect(stepOf({ ...used, result: whole }, redactor()).result).toBe(whole);
    expect(stepOf({ ...used, result: null }, redactor())).not.toHaveProperty("result");
  });

  it("is redacted before it is cut, so that no part of a secret is left", async () => {
    const mail = "ada.lovelace@example.org";
    const before = "x ".repeat(modelRunLimits.resultBytes / 2 - 8);
    const read: SourceFiles["read"] = async () => ({ outcome: "read", text: `${before}${mail}\n`, version: "1" });
    const { answer } = await answers("read_file", { file: "src/load.js", from: 1, to: 1 }, { read });
    expect(answer).not.toContain("ada");
  });
});
