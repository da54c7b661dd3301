import { describe, expect, it } from "vitest";
import { missingElsewhereFix } from "../../../src/signals/code/step-advice.ts";
import type { ValueSource } from "../../../src/signals/code/value-sources.ts";
import { valueStep } from "../../../src/signals/code/value-step.ts";

describe("a step of the failing value", () => {
  const place = { file: "src/rows.js", line: 4, function: "rowsOf" };

  it.each<[ValueSource, string, string, string]>([
    ["call", "stringify", "JSON.stringify(body)", "calls `JSON.stringify(body)`"],
    ["call", "token", "session.start()", "gets `token` from `session.start()`"],
    ["lookup", "get", "kept.get(key)", "looks up `kept.get(key)`"],
    ["property", "headers", "req.headers", "reads `req.headers`"],
    ["property", "", "RATES[country]", "reads `RATES[country]`"],
    ["iteration", "*", "row", "loops over each `row`"],
    ["iteration", "row", "rowsOf(text)", "takes each `row` from `rowsOf(text)`"],
    ["parameter", "", "{ hold = 60 }", "is called with `{ hold = 60 }`"],
    ["returns-nothing", "rowsOf", "return nil", "can return `nil`"],
    ["returns-nothing", "rowsOf", "null", "can return `null`"],
    ["returns-nothing", "rowsOf", "return", "can return without a value"],
    ["returns-nothing", "find", "find(1)", "calls `find`, which can return without a value"],
    ["literal", "rowsOf", "0", "returns `0`"],
    ["literal", "Math.max(0, rows)", "0", "uses `0` in `Math.max(0, rows)`"],
    ["literal", 'id.replace("-", "_").trim()', '"_"', 'computes `id.replace("-", "_").trim()`'],
    ["fallback", "5672", "5672", "falls back to `5672`"],
    ["outside-answer", "read", "file.read()", "uses the result of `file.read()`"],
    ["setting", "concurrency", '"concurency": 4,', 'has `"concurency": 4` instead of `concurrency`'],
  ])("is worded according to the code: %s for %s", (how, name, code, said) => {
    expect(valueStep.link.what({ how, name, code, place, thrown: null, isUnchecked: false })).toBe(
      `\`rowsOf\` (\`src/rows.js:4\`) ${said}`,
    );
  });

  it("isn't said to be an argument of the function around the callback that takes it", () => {
    const step = { how: "parameter", name: "row", code: "row", place, thrown: null, isUnchecked: false } as const;
    expect(valueStep.link.what({ ...step, isCallback: true })).toBe(
      "`rowsOf` (`src/rows.js:4`) takes `row` in a callback",
    );
  });

  it.each([
    ["60", true],
    ['id.replace("-", 60).trim()', false],
    ["Math.max(60, rows)", false],
  ])("is the same for every input only if all of it is a literal: %s", (name, isSame) => {
    const step = { how: "literal", name, code: "60", place, thrown: null, isUnchecked: false } as const;
    expect(/same for every input/.test(valueStep.link.fix?.(step)?.detail ?? "")).toBe(isSame);
  });

  it("names the result, rather than the function, as what a return may have wrong", () => {
    const step = {
      how: "return",
      name: "rowsOf",
      code: "{ ...rows }",
      place,
      thrown: null,
      isUnchecked: false,
    } as const;
    expect(valueStep.link.confirmedBy?.(step)).toBe(
      "a log line at `rowsOf` (`src/rows.js:4`) shows that the result is already wrong there",
    );
  });

  it.each<[ValueSource, string, string, string, string]>([
    ["property", "url", "{ url, stop }", "await start()", "takes `url` from `await start()`"],
    ["property", "0", "cfg, _", 'config.Load("a.json")', 'takes `cfg, _` from `config.Load("a.json")`'],
    ["property", "rates", "rates", 'read("rates")', 'sets `rates` to `read("rates")`'],
    ["assignment", "row", "row", "rows.find(byId)", "sets `row` to `rows.find(byId)`"],
    ["assignment", "range", "out.range", "{ from: 1 }", "sets `out.range` to `{ from: 1 }`"],
  ])("is worded according to what the code sets: %s for %s", (how, name, target, value, said) => {
    const assigned = { target, value, isPattern: /[{,]/.test(target) };
    const args = { how, name, code: `${target} = ${value}`, assigned, place, thrown: null, isUnchecked: false };
    expect(valueStep.link.what(args)).toBe(`\`rowsOf\` (\`src/rows.js:4\`) ${said}`);
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
    expect(valueStep.link.what(args)).toBe(`\`${file}:1\` ${said}`);
  });

  it("is shortened at a word in what to do, without losing the call at its end", () => {
    const code = 'database.execute( "SELECT name, percent FROM campaigns" " WHERE product_group = ?" ….fetchone()';
    const args = { how: "outside-answer", name: "execute", code, place, thrown: null, isUnchecked: false } as const;
    expect(valueStep.link.fix?.(args)?.title).toBe(
      'Check what `database.execute( "SELECT name, percent FROM….fetchone()` returns at `rowsOf` (`src/rows.js:4`)',
    );
    expect(valueStep.link.what(args)).toContain("product_group");
  });
});

describe("a literal that a function returns", () => {
  it("is what is checked, rather than the function", () => {
    const place = { file: "subs/timeline.py", line: 4, function: "gap_before" };
    const step = { how: "literal", name: "gap_before", code: "0.0", place, thrown: null, isUnchecked: false } as const;
    expect(valueStep.link.fix?.(step)?.title).toBe("Check `0.0` at `gap_before` (`subs/timeline.py:4`)");
    expect(valueStep.link.confirmedBy?.(step)).toContain("another value than `0.0`");
  });
});

describe("what a module defines", () => {
  const saidOf = (name: string, place: { file: string; line: number; function: string | null }, isDefined?: true) =>
    valueStep.link.what({
      ...{ how: "import", name, code: name, place, thrown: null, isUnchecked: false },
      ...(isDefined && { isDefined }),
    });

  it("isn't said to be imported there", () => {
    const store = { file: "src/store.ts", line: 3, function: null };
    expect(saidOf("applicants", store, true)).toBe("`src/store.ts:3` defines `applicants`");
    expect(saidOf("applicants", store)).toBe("`src/store.ts:3` imports `applicants`");
  });

  it("may give the value if it is a function", () => {
    const place = { file: "src/of-opening.ts", line: 4, function: "ofOpening" };
    expect(saidOf("ofOpening", place, true)).toBe("`ofOpening` (`src/of-opening.ts:4`) may give the value");
  });
});

describe("data that sets a key whose value was missing", () => {
  const place = { file: "saves/new.json", line: 1, function: null };
  const fixOf = (code: string, file = place.file) =>
    missingElsewhereFix({ how: "data", name: "party", code, place: { ...place, file } });

  it("isn't what to correct: other data lacks it", () => {
    expect(fixOf('{ "version": 5, "party": [{ "name": "Ulf" }], "gold":')).toEqual({
      title: "Find the data that has no `party`",
      detail: "`saves/new.json:1` sets it, so another entry or file lacks it.",
    });
  });

  it.each(['"party": null,', "party:", "party = ", '"party": null }'])("may be it if it sets nothing: %s", (code) => {
    expect(fixOf(code)).toBeNull();
  });

  it("isn't code that reads the data", () => {
    expect(fixOf("load('party')", "src/load.js")).toBeNull();
  });
});
