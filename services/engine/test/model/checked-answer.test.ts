import type { Report } from "@whence/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { investigate } from "../../src/investigate.ts";
import type { AnswerCitation, AnswerStatement } from "../../src/model/answer-statement.ts";
import { checkedAnswer } from "../../src/model/checked-answer.ts";
import { observeFinding } from "../../src/model/checked-findings.ts";

const at = "2026-03-01T10:00:00.000Z";
const price = "function total(order) {\n  const tax = rateOf(order);\n  return order.items.length * tax;\n}\n";
const load = "const cache = new Map();\nfunction load(id) {\n  return cache.get(id);\n}\n";
const files = [
  { name: "src/price.js", content: price },
  { name: "src/load.js", content: load },
];
const errorLog = `2026-03-01T10:00:00.000Z INFO comment: the confidence is 99%
TypeError: Cannot read properties of undefined (reading 'items')
    at total (/app/src/price.js:3:16)
    at handle (/app/src/handle.js:2:10)`;

let report: Report;
let ofCause: Extract<AnswerCitation, { readonly kind: "evidence" }>;
const ofLoad: AnswerCitation = {
  kind: "source",
  file: "src/load.js",
  from: 3,
  to: 3,
  excerpt: "return cache.get(id);",
};

beforeAll(async () => {
  const incident = { id: "inc_1", service: null, env: null, fingerprint: null };
  const said = observeFinding(
    {
      first: { runs: 2, blind: 1 },
      ...{
        model: "m",
        category: "data-validation",
        stance: "supports",
        runs: 2,
        of: 2,
        sentence: "load gives nothing",
      },
      subject: { kind: "place", file: "src/load.js", line: 3, function: "load" },
      citations: [ofLoad],
    },
    at,
  );
  report = await investigate(
    { incident, input: { kind: "text", errorLog, files } },
    {
      collected: async () => ({ observations: [said], notChecked: [] }),
      clock: () => Date.parse(at),
      onStep: async () => undefined,
    },
    new AbortController().signal,
  );
  const code = report.evidence.find(({ excerpt }) => excerpt.includes("order.items.length"));
  ofCause = { kind: "evidence", id: code?.id ?? "", excerpt: "return order.items.length * tax;" };
});

const checked = (...said: AnswerStatement[]) => checkedAnswer(said, report, { files, observations: [] });
const why = (sentence: string, ...citations: AnswerCitation[]) => checked({ sentence, citations }).dropped;

describe("a statement of a model's answer", () => {
  it("is kept with the quotes that are where it says", () => {
    const elsewhere: AnswerCitation = { ...ofCause, excerpt: "return db.get(id);" };
    const sentence = "`total` liest `items` von order, ohne es zu prüfen.";
    const answer = checked({ sentence, citations: [elsewhere, ofCause] });
    expect(answer).toEqual({ statements: [{ sentence, citations: [ofCause] }], dropped: [] });
  });

  it("may quote what the engine says of its evidence, and code that was read", () => {
    const { id = "", summary = "" } = report.evidence.find(({ source }) => source.kind === "error_log") ?? {};
    expect(why("It is a TypeError.", { kind: "evidence", id, excerpt: summary })).toEqual([]);
    expect(why("`load` gets it from `cache`.", ofLoad)).toEqual([]);
  });

  it("is dropped without a quote that is found", () => {
    expect(why("It fails.")).toEqual(["no-citation"]);
    expect(why("It fails.", { ...ofCause, excerpt: "x" })).toEqual(["quote-missing"]);
    expect(why("It fails.", { ...ofCause, id: "e99" })).toEqual(["quote-missing"]);
    expect(why("It fails.", { ...ofLoad, from: 1, to: 2 })).toEqual(["quote-missing"]);
  });

  it("can't quote what a model said before", () => {
    const { id = "" } = report.evidence.find(({ source }) => source.kind === "model") ?? {};
    expect(id).not.toBe("");
    expect(why("It fails.", { kind: "evidence", id, excerpt: "load gives nothing" })).toEqual(["quote-missing"]);
  });

  it.each([
    "It ran for 4711 seconds.",
    "`DROP TABLE orders` ran before.",
    "See https://evil.example/x.",
    "Es lief ٤٧ Sekunden.",
    "It f\u200bails.",
    "It fails.\u{e0041}\u{e0042}",
    "It fails ".repeat(50),
  ])("is dropped when it says more than it quotes: %s", (sentence) => {
    expect(why(sentence, ofCause)).toEqual(["words-unproven"]);
  });

  it.each([
    "I am 99% sure.",
    "It is 99 ％ likely.",
    "Das ist zu 99 Prozent sicher.",
    "可能性是百分之99。",
    "Confiance : 99 pour cent.",
  ])("states no confidence but the report's: %s", (sentence) => {
    const quoted: AnswerCitation = { kind: "evidence", id: report.evidence[0]?.id ?? "", excerpt: "confidence is 99%" };
    expect(why(sentence, quoted, ofCause)).toEqual(["another-confidence"]);
    expect(why(`The report is ${Math.round(100 * report.confidence.score)}% sure.`, ofCause)).toEqual([]);
  });

  it.each([
    "The root cause is `load` in src/load.js.",
    "It fails because load.js returns nothing.",
    "Die Ursache liegt in load.js.",
    "La causa es load.js.",
    "Причина в load.js.",
    "根本原因是 load.js。",
    "原因は load.js です。",
    "The report is wrong: the cause isn't in price.js.",
    "price.js is not the root cause.",
    "price.js ist nicht die Ursache.",
    "price.js no es la causa.",
    "price.js は原因ではない。",
    "The cause is a slow disk.",
  ])("doesn't contradict the report's cause: %s", (sentence) => {
    expect(report.root_cause.location?.file).toContain("price.js");
    expect(why(sentence, ofLoad)).toEqual(["another-cause"]);
  });

  it.each([
    "The cause is in `total` (price.js): items is read from order.",
    "It fails because order is not set when `total` reads it.",
    "load.js is not the cause.",
    "Die Ursache ist `total` in price.js.",
  ])("may say what the report says: %s", (sentence) => {
    expect(why(sentence, ofCause)).toEqual([]);
  });
});
