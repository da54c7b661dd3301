import { describe, expect, it } from "vitest";
import { matchSignatures } from "../../src/match/match.ts";
import { english } from "../../src/report/messages.en.ts";
import type { ValueSource } from "../../src/signals/signal.ts";
import { investigated, textSubject } from "../investigated.ts";
import { type Case, caseOf, eventFindings, kindsOfFailure, reported, trail } from "./written-reports.ts";

const site = {
  kind: "place",
  file: "/srv/orders/src/client.ts",
  line: 3,
  function: "fetchPayment",
  source: null,
} as const;
const headlineOf = (one: Case): string => reported(one).root_cause_summary;

describe("a headline", () => {
  it("names the origin first and what it led to second", () => {
    expect(headlineOf(caseOf(eventFindings(), site, trail("property")))).toBe(
      "`fetchPayment` (`src/client.ts:3`) gets `amount` from `response.json()`, and `formatMoney` (`src/money.ts:2`) reads `currency` of `money`, which is `undefined`. `GET /orders/:id` failed at 2026-03-01T10:00:00.000Z. [e1]",
    );
  });

  it("says so when the origin is itself a bug", () => {
    expect(headlineOf(caseOf(eventFindings(), site, trail("missing-key")))).toContain(
      "leaves out `amount`, so `formatMoney`",
    );
  });

  it.each(kindsOfFailure)("says nothing that could stand in any report: %s", (_, one) => {
    expect(headlineOf(one)).not.toMatch(/the code|comes from here|passes through|rejects the call|as a parameter/i);
  });

  it("quotes the error where only the place of the throw is known", async () => {
    const log = "Error: cannot send twice\n    at sendJson (/srv/a.js:2:9)\n    at handle (/srv/b.js:1:1)\n";
    const { report } = await investigated(
      textSubject(log, { "a.js": "function sendJson(res) {\n  res.write('x');\n}\n" }),
    );
    expect(report.root_cause_summary).toContain("with `cannot send twice`");
  });

  it("shortens a long error rather than leaving it out", async () => {
    const words = "a sentence of more words than any headline has room for when a place stands before it already";
    const log = `RangeError: ${words}\n    at f (/srv/a.js:2:9)\n`;
    const { report } = await investigated(textSubject(log, { "a.js": "function f(x) {\n  x.go(1);\n}\n" }));
    expect(report.root_cause_summary).toContain("with `RangeError: a sentence of more words than any headline…`");
  });

  it("claims no call through a file that isn't on the stack", () => {
    const { chain, root_cause_summary: headline } = reported(caseOf(eventFindings(), { ...site, file: "src/rows.ts" }));
    expect(headline).toMatch(/^The cause is likely in `fetchPayment` \(`src\/rows\.ts:3`\), which isn't on the stack/);
    expect(chain[0]?.what).toBe("`fetchPayment` (`src/rows.ts:3`) isn't on the stack, but may hold the cause");
  });

  it("of a known failure with a weak cause says where to start, and names no cause", () => {
    const findings = eventFindings();
    const known = { ...findings, signatures: matchSignatures(findings.error) };
    expect(headlineOf(caseOf(known, site, trail("property"), { score: 0.3 }))).toBe(
      "`currency` was read from `undefined`. Start at `fetchPayment` (`src/client.ts:3`). [e1]",
    );
  });
});

describe("a step of the failing value", () => {
  const place = { file: "src/rows.js", line: 4, function: "rowsOf" };

  it.each<[ValueSource, string, string, string]>([
    ["call", "stringify", "JSON.stringify(body)", "calls `JSON.stringify(body)`"],
    ["call", "token", "session.start()", "gets `token` from `session.start()`"],
    ["lookup", "get", "kept.get(key)", "looks up `kept.get(key)`"],
    ["property", "headers", "req.headers", "reads `req.headers`"],
    ["property", "", "RATES[country]", "reads `RATES[country]`"],
    ["property", "url", "{ url, stop } = await start()", "takes `url` from `await start()`"],
    ["property", "0", 'cfg, _ := config.Load("a.json")', 'takes `cfg, _` from `config.Load("a.json")`'],
    ["property", "rates", 'rates: read("rates")', 'sets `rates` to `read("rates")`'],
    ["assignment", "row", "row = rows.find(byId)", "sets `row` to `rows.find(byId)`"],
    ["assignment", "out.range", "out.range = { from: 1 }", "sets `out.range` to `{ from: 1 }`"],
    ["iteration", "*", "row", "loops over each `row`"],
    ["iteration", "row", "rowsOf(text)", "takes each `row` from `rowsOf(text)`"],
    ["returns-nothing", "rowsOf", "return nil", "can return without a value"],
    ["returns-nothing", "find", "find(1)", "calls `find`, which can return without a value"],
    ["fallback", "5672", "5672", "falls back to `5672`"],
    ["outside-answer", "read", "file.read()", "uses the result of `file.read()`"],
    ["setting", "concurrency", '"concurency": 4,', 'has `"concurency": 4` instead of `concurrency`'],
  ])("is worded after the code: %s of %s", (how, name, code, said) => {
    expect(english.code["value-step"].what({ how, name, code, place, thrown: null, isUnchecked: false })).toBe(
      `\`rowsOf\` (\`src/rows.js:4\`) ${said}`,
    );
  });

  it.each([
    ["config/worker.json", "missing-key", "has no `pause`"],
    ["src/worker.js", "missing-key", "leaves out `pause`"],
    ["config/worker.json", "data", "sets `pause`"],
  ] as const)("is worded after the kind of file, in %s: %s", (file, how, said) => {
    const args = {
      how,
      name: "pause",
      code: "{ }",
      place: { file, line: 1, function: null },
      thrown: null,
      isUnchecked: false,
    };
    expect(english.code["value-step"].what(args)).toBe(`\`${file}:1\` ${said}`);
  });

  it("says that a key is missing, not that the container is the key", async () => {
    const text = `Traceback (most recent call last):
  File "/srv/main.py", line 3, in <module>
    run({"pause": 1})
  File "/srv/retry.py", line 2, in run
    return retry["max_attempts"]
KeyError: 'max_attempts'
`;
    const files = {
      "retry.py": 'def run(retry):\n    return retry["max_attempts"]\n',
      "main.py": 'from retry import run\n\nrun({"pause": 1})\n',
    };
    const { report } = await investigated(textSubject(text, files));
    expect(report.chain.at(-1)?.what).toBe("`run` (`retry.py:2`) finds no `max_attempts` in `retry`");
  });
});
