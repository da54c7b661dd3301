import type { Observed, TriedPatch } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../testing.ts";

const files = {
  "src/orders.js": `import { loadLines } from "./lines.js";

export async function totalOf(order) {
  const lines = loadLines(order);
  return lines.map((line) => line.price).length;
}
`,
  "src/lines.js": `export async function loadLines(order) {
  return order.lines;
}
`,
};
const errorLog = `TypeError: lines.map is not a function
    at totalOf (/app/src/orders.js:5:16)
    at handle (/app/src/server.js:3:1)
`;

async function reportOn(observed: Observed) {
  const subject = textSubject(errorLog, files);
  if (subject.input.kind !== "text") throw new Error("no text");
  return (await investigated({ ...subject, input: { ...subject.input, observed } })).report;
}

const { patch } = await reportOn({ runs: [] });
const tried = (outcome: TriedPatch["outcome"], more: Partial<TriedPatch> = {}): Observed => ({
  runs: [],
  tried: [{ diff: patch?.diff ?? "", outcome, before: null, after: null, ...more }],
});

describe("a report with a tried patch", () => {
  it("confirms the function whose change repaired the command, with the tests counted", async () => {
    const report = await reportOn(
      tried("repaired", { before: { passed: 11, failed: 1 }, after: { passed: 12, failed: 0 } }),
    );
    const said =
      "With the patch at `totalOf` (`src/orders.js:4`), tried in a copy of the tree, the command passes: 12 tests passed, 11 without it";
    const [first] = report.candidates;
    expect(first).toMatchObject({ seen: "confirmed", location: { file: "src/orders.js", function: "totalOf" } });
    expect(first?.support).toContain(said);
    expect(report.patch).toMatchObject({ diff: patch?.diff, tried: said });
    const cited = report.evidence.find(({ summary }) => summary === said);
    expect(cited?.source).toEqual({ kind: "observed", name: "tried patch" });
    expect(report.patch?.evidence_ids).toContain(cited?.id);
  });

  it("offers no patch after which the error occurs as before", async () => {
    const report = await reportOn(tried("fails"));
    expect(report.patch?.diff).not.toBe(patch?.diff);
    expect(report.candidates.filter(({ seen }) => seen !== undefined)).toEqual([]);
  });

  it("decides nothing where something else fails, and says so", async () => {
    const report = await reportOn(tried("changed"));
    expect(report.patch?.tried).toMatch(/the error is gone, but something else fails or is missing$/);
    expect(report.candidates.filter(({ seen }) => seen !== undefined)).toEqual([]);
  });

  it.each([
    ["another change", (diff: string) => diff.replaceAll("src/orders.js", "src/other.js")],
    ["two functions", (diff: string) => `${diff}--- a/src/lines.js\n+++ b/src/lines.js\n@@ -2,1 +2,1 @@\n-a\n+b\n`],
    ["no diff", () => "--- a\n@@ nothing"],
  ])("confirms nothing by %s", async (_, changed) => {
    const report = await reportOn(tried("repaired", { diff: changed(patch?.diff ?? "") }));
    expect(report.candidates.filter(({ seen }) => seen !== undefined)).toEqual([]);
  });
});
