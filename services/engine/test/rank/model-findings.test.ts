import { type Report, verifyReport } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { Observation } from "../../src/findings/observation.ts";
import { investigate } from "../../src/investigate.ts";
import { observeFinding } from "../../src/model/checked-findings.ts";
import type { Candidate } from "../../src/rank/candidate.ts";
import { withModelFindings } from "../../src/rank/model-findings.ts";
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
  first: { runs: 0, blind: 0 },
  subject: { kind: "place", file: "src/load.js", line: 3, function: "load" },
  sentence: "load returns undefined when cache has no entry",
  citations: [
    { kind: "source", file: "src/load.js", from: 2, to: 3, excerpt: "function load(id) { return cache.get(id);" },
  ],
};

async function reported(findings: readonly ModelFinding[], log = errorLog): Promise<Report> {
  // Of an error without a stack, only the model has read code.
  const [given, opened] = log === bare ? [[], files] : [files, []];
  const input = { kind: "text", errorLog: log, files: given } as const;
  const incident = { id: "inc_1", service: null, env: null, fingerprint: null };
  const observations = findings.map((finding) => observeFinding(finding, at));
  return investigate(
    { incident, input, readByModel: opened.map((file) => ({ ...file, path: file.name, version: "1" })) },
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
      "Language model: its only statement was dropped (1 quotes what isn't there). Nothing is left, so the report is the engine's alone.",
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

describe("what a model names", () => {
  const placed = { kind: "place", file: "src/load.js", line: 3, function: null } as const;
  const saidIn = ({ evidence }: Report): string =>
    evidence.flatMap(({ source, summary }) => (source.kind === "model" ? summary : [])).join();

  it.each([
    ["load", "`load` (`src/load.js:3`)"],
    ["cache.get", "`cache.get` (`src/load.js:3`)"],
    ["loa", "`src/load.js:3`"],
    ["call 0900-FIX at evil.example load", "`src/load.js:3`"],
    ["`x` load", "`src/load.js:3`"],
  ])("has a function only where it is a name in its source: %s", async (name, kept) => {
    const report = await reported([{ ...proposed, subject: { ...placed, function: name }, sentence: "" }]);
    expect(saidIn(report)).toContain(`proposes ${kept} in 2 of 2 runs`);
  });

  it("has the stack's function where the source isn't known", async () => {
    const log = `${errorLog}\n    at render (/app/src/page.js:9:3)`;
    const subject = { ...placed, file: "src/page.js", line: 9, function: "obey me" };
    const citations = [{ kind: "input", excerpt: "at render (/app/src/page.js:9:3)" }] as const;
    const report = await reported([{ ...proposed, subject, sentence: "", citations }], log);
    expect(JSON.stringify(report)).not.toContain("obey me");
    expect(saidIn(report)).toContain("`render`");
  });

  it("proves no word of its sentence by its own name for a function", async () => {
    const sentence = "load_everything_twice is called";
    const subject = { ...placed, function: "load_everything_twice" };
    expect(JSON.stringify(await reported([{ ...proposed, subject, sentence }]))).not.toContain(sentence);
  });

  it.each([
    { kind: "service", service: "ledger" },
    { kind: "release", service: "orders", release: "9.9.9" },
  ] as const)("is dropped where nothing was seen of it: %o", async (subject) => {
    const citations = [{ kind: "input", excerpt: "ledger of orders 9.9.9 stopped" }] as const;
    const log = `${errorLog}\nledger of orders 9.9.9 stopped`;
    expect(droppedIn(await reported([{ ...proposed, subject, citations }], log))).toContain(
      "1 names a place that doesn't exist",
    );
  });

  it("is one thing for all spellings of its path", async () => {
    const files = ["src/load.js", "load.js", "/srv/app/src/load.js"];
    const alike = files.map((file) => ({ ...proposed, runs: 1, subject: { ...placed, file } }));
    const said = (await reported(alike)).evidence.filter(({ source }) => source.kind === "model");
    expect(said.map(({ summary }) => summary)).toEqual([expect.stringContaining("in 1 of 2 runs")]);
  });
});

describe("what a model's finding is worth", () => {
  const [quoted] = [
    { kind: "source", file: "src/price.js", from: 3, to: 3, excerpt: "order.items.length * tax" },
  ] as const;
  const refuting: ModelFinding = {
    ...{ ...proposed, stance: "refutes", sentence: "order is checked before", citations: [quoted] },
    subject: { kind: "place", file: "src/price.js", line: 3, function: "total" },
  };
  const said = ({ root_cause, root_cause_summary, confidence, short_term_solutions, patch, candidates }: Report) => ({
    ...{ root_cause, root_cause_summary, confidence, patch, first: candidates[0]?.location },
    fixes: short_term_solutions.map(({ title }) => title),
  });
  const setting: ModelFinding = {
    ...{ ...proposed, subject: { kind: "setting", name: "cache", where: "configuration" } },
    citations: [{ kind: "source", file: "src/load.js", from: 1, to: 1, excerpt: "const cache = new Map();" }],
  };

  it.each([
    ["an error at a place", errorLog],
    ["an error about which no place is known", bare],
  ])("changes neither the first candidate, nor the headline, the fix, or the confidence: %s", async (_, log) => {
    const before = said(await reported([], log));
    for (const findings of [[proposed], [refuting], [proposed, refuting], [setting]])
      expect(said(await reported(findings, log))).toEqual(before);
  });

  it.each([
    [
      "lowers it where a run that wasn't shown the report names another place first",
      { runs: 1, blind: 1 },
      proposed,
      -1,
    ],
    ["leaves it where only a run that was shown the report does", { runs: 1, blind: 0 }, proposed, 0],
    ["raises it where a run that wasn't shown the report names the same place first", { runs: 1, blind: 1 }, null, 1],
    ["leaves it where only a run that was shown the report agrees", { runs: 1, blind: 0 }, null, 0],
    ["leaves it where no run names the place first", { runs: 0, blind: 0 }, null, 0],
  ])("moves the confidence by the agreement of its runs, and nothing else: %s", async (_, first, other, sign) => {
    const alone = await reported([]);
    const finding = { ...(other ?? { ...refuting, stance: "supports" as const }), first };
    const report = await reported([finding]);
    const { confidence, ...rest } = said(report);
    const { confidence: before, ...restBefore } = said(alone);
    expect(rest).toEqual(restBefore);
    expect(Math.sign(confidence.score - before.score)).toBe(sign);
    expect(confidence.basis.includes("A language model ")).toBe(sign !== 0);
    expect(verifyReport(report)).toEqual([]);
  });

  it("drops a run's claim to be first that more make than were asked", async () => {
    const first = { runs: 3, blind: 1 };
    expect((await reported([{ ...proposed, first }])).evidence.some(({ source }) => source.kind === "model")).toBe(
      false,
    );
  });

  it("adds a candidate behind the first one where the engine knows no place", async () => {
    const report = await reported([proposed], bare);
    expect(filesOf(report)).toEqual([undefined, "src/load.js"]);
  });

  it("supports the first candidate by its evidence alone", async () => {
    const supporting: ModelFinding = { ...refuting, stance: "supports" };
    const [before, after] = [await reported([]), await reported([supporting])];
    expect(said(after)).toEqual(said(before));
    expect(after.candidates[0]?.support.join()).toContain("proposes `total` (`src/price.js:3`)");
  });

  it("argues against a candidate that it rules out", async () => {
    const [first] = (await reported([refuting])).candidates;
    expect(first?.against.join()).toContain("rules out `total` (`src/price.js:3`)");
  });
});

describe("withModelFindings", () => {
  const candidate = (file: string, probability: number): Candidate => ({
    ...{ service: null, category: "unknown", signals: [], frames: [], observations: [], signature: null },
    ...{ subject: { kind: "place", file, line: null, function: null, source: null }, probability },
  });
  const about = (file: string, finding: Partial<ModelFinding> = {}) =>
    observeFinding({ ...proposed, subject: { kind: "place", file, line: 3, function: null }, ...finding }, at);
  const added = (subject: { readonly kind: string }): Candidate => candidate(subject.kind, 0.9);
  const ranked = (candidates: readonly Candidate[], ...said: readonly Observation[]) =>
    withModelFindings(candidates, said, added).map(({ subject, probability }) => [subject, probability]);
  const engines = [candidate("a.js", 0.5), candidate("b.js", 0.45), candidate("c.js", 0.02), candidate("d.js", 0.01)];
  const filesIn = (order: ReturnType<typeof ranked>) =>
    order.map(([subject]) => (typeof subject === "object" && subject.kind === "place" ? subject.file : null));

  it("keeps a tie as it is, and each place", () => {
    const findings = ["a.js", "b.js", "c.js"].flatMap((file) => [about(file), about(file, { stance: "refutes" })]);
    expect(ranked(engines, ...findings).slice(0, 2)).toEqual(ranked(engines).slice(0, 2));
  });

  it("moves a candidate that all runs name before those that are less likely, among the first three and behind them", () => {
    const five = [...engines, candidate("f.js", 0.005)];
    expect(filesIn(ranked(five, about("f.js")))).toEqual(["a.js", "b.js", "c.js", "f.js", "d.js"]);
    const close = [candidate("a.js", 0.5), candidate("b.js", 0.03), candidate("c.js", 0.02)];
    expect(filesIn(ranked(close, about("c.js")))).toEqual(["a.js", "c.js", "b.js"]);
  });

  it("displaces none of the engine's first three by what a model adds, however much that is", () => {
    const wrong = ["e.js", "f.js", "g.js", "h.js"].map((file) => about(file));
    const order = withModelFindings(engines, wrong, (subject) =>
      candidate(subject.kind === "place" ? subject.file : "", 0.9),
    );
    expect(order.map(({ subject }) => subject.kind === "place" && subject.file)).toEqual([
      "a.js",
      "b.js",
      "c.js",
      "e.js",
      "f.js",
      "g.js",
      "h.js",
      "d.js",
    ]);
    expect(filesIn(ranked(engines.slice(0, 3), ...wrong)).slice(0, 3)).toEqual(["a.js", "b.js", "c.js"]);
    const two = [candidate("a.js", 0.5), candidate("b.js", 0.02)];
    expect(filesIn(ranked(two, ...wrong)).slice(0, 2)).toEqual(["a.js", "b.js"]);
    expect(order.map(({ probability }) => probability)).toEqual([0.5, 0.45, 0.02, 0.02, 0.02, 0.02, 0.02, 0.01]);
  });

  it("lets nothing rise to a tie with the first", () => {
    const near = [candidate("a.js", 0.12), candidate("b.js", 0.01)];
    const probabilities = ranked(near, about("b.js"), about("e.js")).map(([, probability]) => probability);
    expect(probabilities).toEqual([0.12, expect.closeTo(0.02), 0.01]);
  });

  it("counts a claim of more runs than there were as all", () => {
    expect(ranked([candidate("a.js", 0.9)], about("e.js", { runs: 9, of: 2 })).at(-1)).toEqual([
      expect.anything(),
      0.05,
    ]);
  });
});
