import type { UndoneChange } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../testing.ts";

const files = {
  "src/orders.js": `import { loadLines } from "./lines.js";
import { rateOf } from "./rates.js";

export function totalOf(order) {
  const lines = loadLines(order);
  return lines.reduce((sum, line) => sum + line.price.amount * rateOf(order), 0);
}
`,
  "src/lines.js": `const prices = new Map();

export function loadLines(order) {
  return order.items.map(({ sku }) => ({ sku, price: prices.get(sku) }));
}
`,
  "src/rates.js": `export function rateOf(order) {
  return order.currency === "EUR" ? 1 : 1.1;
}
`,
};
const errorLog = `TypeError: Cannot read properties of undefined (reading 'amount')
    at /app/src/orders.js:6:56
    at Array.reduce (<anonymous>)
    at totalOf (/app/src/orders.js:6:16)
    at handle (/app/src/server.js:3:1)
`;
const lines = { file: "src/lines.js", line: 4 };
const rates = { file: "src/rates.js", line: 2 };
const commit = { id: "9c1d2e3f4a5b6c7d8e9f", author: "Ada", at: "2026-03-01T09:40:00.000Z", subject: "Rename" };

async function reportOn(undone: Partial<UndoneChange>, sources: Readonly<Record<string, string>> = files) {
  const subject = textSubject(errorLog, sources);
  if (subject.input.kind !== "text") throw new Error("no text");
  const change = { commit: null, places: [lines], diff: "", before: null, after: null, ...undone };
  return (await investigated({ ...subject, input: { ...subject.input, observed: { runs: [], undone: change } } }))
    .report;
}

describe("a report on a command that passes without a change", () => {
  it("confirms the function with the change, with the tests counted", async () => {
    const report = await reportOn({ before: { passed: 11, failed: 1 }, after: { passed: 12, failed: 0 } });
    const said =
      "Without the uncommitted change of `src/lines.js:4`, in a copy of the tree, the command passes: 12 tests passed, 11 with it";
    const [first] = report.candidates;
    expect(first).toMatchObject({
      seen: "confirmed",
      location: { file: "src/lines.js", line: 4, function: "loadLines" },
    });
    expect(first?.support).toContain(said);
    expect(report.evidence.find(({ summary }) => summary === said)).toMatchObject({
      source: { kind: "observed", name: "change undone" },
      location: { file: "src/lines.js", line: 4, function: "loadLines" },
    });
    expect(report.root_cause_summary).toContain(
      "The uncommitted change of `src/lines.js:4` makes the command fail: `totalOf` (`src/orders.js:6`) reads `amount` of `line.price`, which is `undefined`.",
    );
  });

  it("names the commit that made it", async () => {
    const report = await reportOn({ commit });
    expect(report.candidates[0]?.support).toContain(
      "Without the change of `src/lines.js:4` in commit `9c1d2e3`, in a copy of the tree, the command passes",
    );
  });

  it("leads with the change nearest to the failure where several belong together, and confirms none", async () => {
    const report = await reportOn({ places: [rates, lines] });
    expect(report.candidates.filter(({ seen }) => seen !== undefined)).toEqual([]);
    const said =
      "Without the uncommitted change of `src/rates.js:2` and `src/lines.js:4`, in a copy of the tree, the command passes";
    expect(report.evidence.map(({ summary }) => summary)).toContain(said);
    expect(["src/rates.js", "src/lines.js"]).toContain(report.candidates[0]?.location?.file);
  });

  it("confirms none where a file that was removed belongs to the change", async () => {
    const report = await reportOn({ places: [{ file: "src/old-lines.js", line: 1 }, lines] });
    expect(report.candidates.filter(({ seen }) => seen !== undefined)).toEqual([]);
    expect(report.candidates[0]?.location?.file).toBe("src/lines.js");
  });

  it("keeps what was inferred where the change is in more functions than tell something", async () => {
    const more = Array.from({ length: 4 }, (_, index) => `export function more${index}() {\n  return ${index};\n}\n`);
    const text = files["src/rates.js"] + more.join("");
    const places = [2, 5, 8, 11].map((line) => ({ file: "src/rates.js", line }));
    const report = await reportOn({ places }, { ...files, "src/rates.js": text });
    expect(report.candidates[0]?.location?.file).not.toBe("src/rates.js");
  });

  it("names at most three places, and how many there are besides", async () => {
    const places = [1, 2, 3, 4, 5].map((line) => ({ file: `src/${line}.js`, line }));
    const { evidence } = await reportOn({ places });
    expect(evidence.map(({ summary }) => summary)).toContain(
      "Without the uncommitted change of `src/1.js:1`, `src/2.js:2`, `src/3.js:3`, and 2 other places, in a copy of the tree, the command passes",
    );
  });

  it("has its place as evidence where no code of the file was given", async () => {
    const report = await reportOn({ places: [{ file: "config/prices.json", line: 3 }] });
    expect(report.candidates.filter(({ seen }) => seen !== undefined)).toEqual([]);
    expect(report.evidence.find(({ summary }) => summary.includes("`config/prices.json:3`"))?.location).toBeNull();
  });

  it("quotes what undoes it", async () => {
    const { evidence } = await reportOn({
      diff: "--- a/src/lines.js\n+++ b/src/lines.js\n@@ -4,1 +4,1 @@\n-new\n+old\n",
    });
    expect(evidence.find(({ source }) => source.name === "change undone")?.excerpt).toContain("-new\\n+old");
  });
});
