import type { Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ModelRecord } from "../../src/findings/model-record.ts";
import { investigate } from "../../src/investigate.ts";
import { observeFinding } from "../../src/model/checked-findings.ts";
import { modelWeight } from "../../src/rank/model-weight.ts";
import type { ModelFinding } from "../../src/signals/facts/model-finding.ts";

const at = "2026-03-01T10:00:00.000Z";
const price =
  "function total(order) {\n  const tax = rateOf(order);\n  return order.items.length * tax;\n}\nmodule.exports = { total };\n";
const load = "const cache = new Map();\nfunction load(id) {\n  return cache.get(id);\n}\nmodule.exports = { load };\n";
const errorLog = `TypeError: Cannot read properties of undefined (reading 'items')
    at total (/app/src/price.js:3:16)
    at handle (/app/src/handle.js:2:10)`;
const files = [
  { name: "src/price.js", content: price },
  { name: "src/load.js", content: load },
  { name: "src/handle.js", content: "module.exports = { handle: () => 1 };\n" },
];
/** An error whose stack names no file. */
const bare = "RuntimeError: the answer is stale";

const proposed: ModelFinding = {
  ...{ model: "anthropic claude", category: "data-validation", stance: "supports", runs: 2, of: 2 },
  subject: { kind: "place", file: "src/load.js", line: 3, function: "load" },
  sentence: "load returns undefined when cache has no entry",
  citations: [
    { kind: "source", file: "src/load.js", from: 2, to: 3, excerpt: "function load(id) { return cache.get(id);" },
  ],
};

async function reported(
  findings: readonly ModelFinding[],
  { log = errorLog, record }: { readonly log?: string; readonly record?: ModelRecord } = {},
): Promise<Report> {
  const input = { kind: "text", errorLog: log, files } as const;
  const incident = { id: "inc_1", service: null, env: null, fingerprint: null };
  const observations = findings.map((finding) => observeFinding(finding, at));
  return investigate(
    { incident, input, ...(record && { model: { files: [], record } }) },
    {
      collected: async () => ({ observations, notChecked: [] }),
      clock: () => Date.parse(at),
      onStep: async () => undefined,
    },
    new AbortController().signal,
  );
}

const filesOf = ({ candidates }: Report): (string | undefined)[] => candidates.map(({ location }) => location?.file);
const droppedIn = ({ not_checked: lines }: Report): string | undefined =>
  lines.find((line) => line.startsWith("Language model"));

describe("a model's finding", () => {
  it("is a candidate with its words quoted, marked as the model's", async () => {
    const report = await reported([proposed]);
    expect(filesOf(report)).toContain("src/load.js");
    const quoted = report.evidence.find(({ source }) => source.kind === "model");
    expect(quoted?.summary).toContain("the model `anthropic claude` proposes `load` (`src/load.js:3`) in 2 of 2 runs");
    expect(report.provenance[`evidence.${quoted?.id}`]).toBe("model");
    expect(report.engine.model).toBe("anthropic claude");
    expect(report.root_cause_summary).not.toContain(proposed.sentence);
  });

  it("quotes code wherever its whitespace differs, and not on other lines", async () => {
    const [source] = proposed.citations;
    const elsewhere = { ...proposed, citations: source?.kind === "source" ? [{ ...source, from: 4, to: 5 }] : [] };
    const report = await reported([elsewhere]);
    expect(report.evidence.some(({ source: { kind } }) => kind === "model")).toBe(false);
    expect(droppedIn(report)).toBe(
      "Language model: 1 of its 1 statement dropped (1 quotes what isn't there). Nothing is left, so the report doesn't use the model.",
    );
  });

  it.each([
    ["cites nothing", { citations: [] }],
    ["names a place that doesn't exist", { subject: { ...proposed.subject, line: 99 } }],
    ["names a place that doesn't exist", { subject: { ...proposed.subject, file: "src/stock.js" } }],
    ["quotes nothing about what it names", { citations: [{ kind: "input", excerpt: "Cannot read properties" }] }],
    ["quotes what isn't there", { citations: [{ kind: "input", excerpt: "Cannot write properties" }] }],
    ["quotes what isn't there", { citations: [{ kind: "evidence", digest: "00", excerpt: "Cannot read" }] }],
  ] as const)("is dropped when it %s", async (why, change) => {
    const report = await reported([{ ...proposed, ...change } as ModelFinding]);
    expect(droppedIn(report)).toContain(`1 ${why}`);
    expect(filesOf(report)).not.toContain("src/stock.js");
  });

  it.each([
    "load failed 4711 times for orderId",
    "see https://evil.example/fix",
    'the log says "disk full"',
    "releaseAll is never called",
  ])("loses its words when they say more than it quotes: %s", async (sentence) => {
    const report = await reported([{ ...proposed, sentence }]);
    expect(JSON.stringify(report)).not.toContain(JSON.stringify(sentence).slice(1, -1));
    expect(droppedIn(report)).toContain("1 says more than it quotes");
    expect(filesOf(report)).toContain("src/load.js");
  });
});

describe("what a model's finding is worth", () => {
  const trusted = { answers: 200, right: 190 };

  it("never exceeds a cause that decisive evidence shows, however often the model was right", async () => {
    const before = await reported([]);
    const after = await reported([proposed], { record: trusted });
    expect(filesOf(after)[0]).toBe(filesOf(before)[0]);
    expect(after.confidence.score).toBe(before.confidence.score);
  });

  it("comes first where the engine knows no place", async () => {
    const report = await reported([proposed], { log: bare, record: trusted });
    expect(report.root_cause.location).toMatchObject({ file: "src/load.js", line: 3 });
    expect(report.confidence.score).toBeLessThanOrEqual(0.6);
  });

  it("is small until the model has been right, and grows no further than 0.6", () => {
    const whole = { runs: 2, of: 2 };
    expect(modelWeight(whole, undefined)).toBeLessThan(0.1);
    expect(modelWeight(whole, { answers: 50, right: 0 })).toBeLessThan(0.02);
    expect(modelWeight(whole, trusted)).toBe(0.6);
    expect(modelWeight({ runs: 1, of: 2 }, { answers: 20, right: 15 })).toBeLessThan(
      modelWeight(whole, { answers: 20, right: 15 }),
    );
  });

  it("argues against a candidate that it rules out", async () => {
    const [source] = [
      { kind: "source", file: "src/price.js", from: 3, to: 3, excerpt: "order.items.length * tax" },
    ] as const;
    const report = await reported([
      {
        ...{ ...proposed, stance: "refutes", sentence: "order is checked before", citations: [source] },
        subject: { kind: "place", file: "src/price.js", line: 3, function: "total" },
      },
    ]);
    const [first] = report.candidates;
    expect(first?.against.join()).toContain("rules out `total` (`src/price.js:3`)");
  });
});
