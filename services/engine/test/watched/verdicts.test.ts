import type { Hit, Observed, WatchedRun } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../testing.ts";

const files = {
  "src/plan.js": `function planOf(id) {
  const plans = { p1: { limit: 3 } };
  if (id in plans) return plans[id];
}
function priceOf(id) {
  return id === "p1" ? 5 : 0;
}
module.exports = { planOf, priceOf };
`,
  "src/limit.js": `const { planOf, priceOf } = require("./plan.js");
function limitOf(order) {
  const price = priceOf(order.plan);
  const plan = planOf(order.plan);
  return plan.limit * price;
}
module.exports = { limitOf };
`,
};
/** What is wrong is outside of functions. */
const moduleCode = `const plan = undefined;
const planOf = () => plan;
module.exports = { planOf };
`;
const error = "TypeError: Cannot read properties of undefined (reading 'limit')";
const errorLog = `${error}
    at limitOf (/app/src/limit.js:5:15)
    at Object.<anonymous> (/app/main.js:2:1)
`;

const caller = { file: "src/limit.js", line: 4, function: "limitOf", starts: 2 };
const hit = { values: {}, thread: "1-0", nth: 1, callers: [] } satisfies Partial<Hit>;
const returned = (line: number, starts: number, name: string, value: string, at: number, from = caller): Hit => ({
  ...{ ...hit, kind: "returned", file: "src/plan.js", line, starts, function: name, returned: value, at_ms: at },
  callers: [from],
});
const threw: Hit = {
  ...{ ...hit, kind: "threw", file: "src/limit.js", line: 5, starts: 2, function: "limitOf", error, at_ms: 14, nth: 0 },
  values: { plan: "undefined", price: "0" },
};
const places: WatchedRun["places"] = [
  { file: "src/plan.js", line: 3, function: "planOf", starts: 1, hits: 2, is_complete: true },
  { file: "src/plan.js", line: 6, function: "priceOf", starts: 5, hits: 2, is_complete: true },
];
const price = returned(6, 5, "priceOf", "0", 8, { ...caller, line: 3 });
const plan: Hit = { ...returned(4, 1, "planOf", "undefined", 10.2), values: { id: '"p9"' } };

async function reportOn(observed: Observed | undefined) {
  const subject = textSubject(errorLog, files);
  if (subject.input.kind !== "text") throw new Error("no text");
  return (await investigated({ ...subject, input: { ...subject.input, ...(observed && { observed }) } })).report;
}

const run = (hits: readonly Hit[], more: Partial<WatchedRun> = {}): Observed => ({
  runs: [{ run: 2, places, hits: [...hits], ...more }],
});

describe("a report with watched runs", () => {
  it("confirms the function that returned the failing value, and says what was seen", async () => {
    const report = await reportOn(run([price, plan, threw]));
    const [first] = report.candidates;
    expect(first).toMatchObject({ seen: "confirmed", location: { file: "src/plan.js", function: "planOf" } });
    const said = '`planOf` (`src/plan.js:4`) returned `undefined` 4 ms before the throw in run 2, where `id` is `"p9"`';
    expect(first?.support).toContain(said);
    const [, cited] = /^(.*) \[(e\d+)\]$/.exec(report.root_cause_summary)?.slice(1) ?? [];
    expect(report.root_cause_summary).toMatch(
      /^`planOf` \(`src\/plan.js:4`\) returned `undefined` in run 2, where `id` is `"p9"`, and `limitOf` /,
    );
    expect(report.evidence.find(({ id }) => id === cited)?.summary).toBe(said);
    expect(report.evidence).toContainEqual(
      expect.objectContaining({ source: { kind: "observed", name: "run 2" }, summary: said }),
    );
  });

  it("is surer of what was seen", async () => {
    const [seen, inferred] = [await reportOn(run([price, plan, threw])), await reportOn(undefined)];
    expect(seen.confidence.score).toBeGreaterThan(inferred.confidence.score);
  });

  it("refutes a function that didn't run before the throw, unless it was given up", async () => {
    const unreached = places.map((place) => ({ ...place, hits: 0 }));
    const verdicts = async (isComplete: boolean) => {
      const report = await reportOn(
        run([threw], { places: unreached.map((place) => ({ ...place, is_complete: isComplete })) }),
      );
      return report.candidates
        .filter(({ location }) => location?.file === "src/plan.js")
        .map(({ seen, against }) => [
          seen,
          against.some((text) => text.includes("didn't run before the throw in run 2")),
        ]);
    };
    expect(await verdicts(true)).toEqual([["refuted", true]]);
    expect(await verdicts(false)).toEqual([[undefined, false]]);
  });

  it.each([
    ["on the stack of the throw", [threw]],
    ["that called another", [plan, { ...threw, line: 9, function: "other", starts: 9 }]],
  ])("refutes no function %s for not having been reached", async (_, hits) => {
    const unreached = { file: "src/limit.js", line: 3, function: "limitOf", starts: 2, hits: 0, is_complete: true };
    const report = await reportOn(run(hits, { places: [unreached] }));
    expect(report.candidates.filter(({ seen }) => seen === "refuted")).toEqual([]);
  });

  it("refutes no code outside of functions for not having been reached", async () => {
    const subject = textSubject(errorLog, { ...files, "src/plan.js": moduleCode });
    if (subject.input.kind !== "text") throw new Error("no text");
    const unreached = { file: "src/plan.js", line: 1, function: null, starts: null, hits: 0, is_complete: true };
    const observed = run([threw], { places: [unreached] });
    const { report } = await investigated({ ...subject, input: { ...subject.input, observed } });
    expect(report.candidates.map(({ location }) => location?.file)).toContain("src/plan.js");
    expect(report.candidates.filter(({ seen }) => seen === "refuted")).toEqual([]);
  });

  it.each([
    ["whose result isn't used", [returned(4, 1, "planOf", "undefined", 9, { ...caller, line: 3 }), threw]],
    ["that returned another value", [returned(3, 1, "planOf", '{"limit": 3}', 9), threw]],
    ["in another thread", [{ ...plan, thread: "1-1" }, threw]],
    ["after the throw", [threw, { ...plan, at_ms: 20 }]],
    ["that got the value as an argument", [{ ...plan, values: { id: "undefined" } }, threw]],
    ["of another error", [plan, { ...threw, error: "Error: other" }]],
    ["whose line found what other calls asked for", [returned(4, 1, "planOf", '{"limit": 3}', 7), plan, threw]],
    ["whose line found what later calls asked for", [plan, threw, returned(4, 1, "planOf", '{"limit": 3}', 20)]],
  ])("confirms no function %s", async (_, hits) => {
    const report = await reportOn(run(hits));
    expect(report.candidates.filter(({ seen }) => seen === "confirmed")).toEqual([]);
  });

  it.each([
    ["7", "refuted"],
    ["true", undefined],
    ['"north"', undefined],
    ["[]", undefined],
    ['{"0": null}', undefined],
  ])(
    "refutes a function that returned another value, unless that may have led to what failed: %s",
    async (value, seen) => {
      const subject = textSubject(
        `TypeError: Cannot read properties of undefined (reading 'shop')
    at best (/app/src/best.js:3:16)
    at main (/app/src/main.js:5:10)
`,
        {
          "src/best.js": `function best(offers) {
  const first = offers[0];
  return first.shop;
}
module.exports = { best };
`,
          "src/main.js": `const { best } = require("./best.js");
const { collect } = require("./collect.js");
function main() {
  const offers = collect(["north"]);
  return best(offers);
}
main();
`,
          "src/collect.js": `function collect(shops) {
  const offers = [];
  shops.forEach(async (shop) => offers.push({ shop: await shop }));
  return offers;
}
module.exports = { collect };
`,
        },
      );
      if (subject.input.kind !== "text") throw new Error("no text");
      const main = { file: "src/main.js", line: 4, function: "main", starts: 3 };
      const collected = { ...returned(4, 1, "collect", value, 9, main), file: "src/collect.js" };
      const thrown: Hit = {
        ...{ ...threw, file: "src/best.js", line: 3, starts: 1, function: "best", callers: [{ ...main, line: 5 }] },
        ...{
          error: "TypeError: Cannot read properties of undefined (reading 'shop')",
          values: { first: "undefined", shop: '"north"' },
        },
      };
      const watched = [{ file: "src/collect.js", line: 2, function: "collect", starts: 1, hits: 1, is_complete: true }];
      const observed = run([collected, thrown], { places: watched });
      const { report } = await investigated({ ...subject, input: { ...subject.input, observed } });
      expect(report.candidates.find(({ location }) => location?.file === "src/collect.js")?.seen).toBe(seen);
    },
  );

  it("confirms no function that is on the stack of the throw by what an earlier call of it returned", async () => {
    const code = `function define(owner, prototype) {
  owner.prototype = prototype;
  prototype.constructor = owner;
}
define(Color, {});
define(Hsl);
`;
    const subject = textSubject(
      `TypeError: Cannot set properties of undefined (setting 'constructor')
    at define (/app/src/color.js:3:25)
    at Object.<anonymous> (/app/src/color.js:6:1)
`,
      { "src/color.js": code },
    );
    if (subject.input.kind !== "text") throw new Error("no text");
    const [file, main] = ["src/color.js", { file: "src/color.js", line: 5, function: null, starts: null }];
    const earlier: Hit = {
      ...{ ...hit, kind: "returned", file, line: 4, starts: 1, function: "define", returned: "undefined", at_ms: 3 },
      ...{ values: { owner: "class Color", prototype: "{}" }, callers: [main] },
    };
    const thrown: Hit = {
      ...{ ...earlier, kind: "threw", line: 3, at_ms: 5, nth: 0, returned: undefined },
      ...{ error: "TypeError: Cannot set properties of undefined (setting 'constructor')" },
      ...{ values: { owner: "class Hsl", prototype: "undefined" }, callers: [{ ...main, line: 6 }] },
    };
    const watched = [{ file, line: 4, function: "define", starts: 1, hits: 1, is_complete: true }];
    const observed = run([earlier, thrown], { places: watched });
    const { report } = await investigated({ ...subject, input: { ...subject.input, observed } });
    expect(report.candidates.filter(({ seen }) => seen === "confirmed")).toEqual([]);
  });

  it.each([
    ["RangeError: 3", ["refuted"]],
    ["RangeError: 31", [undefined]],
    ["Error: 3", [undefined]],
  ])("recognizes a short message only with its type, and whole: %s", async (said, seen) => {
    const subject = textSubject(errorLog.replace(error, "RangeError: 3"), files);
    if (subject.input.kind !== "text") throw new Error("no text");
    const observed = run([{ ...threw, error: said }], { places: places.map((place) => ({ ...place, hits: 0 })) });
    const { report } = await investigated({ ...subject, input: { ...subject.input, observed } });
    expect(report.watch_for).toEqual(["RangeError: 3"]);
    const inPlan = report.candidates.filter(({ location }) => location?.file === "src/plan.js");
    expect(inPlan.map((one) => one.seen)).toEqual(seen);
  });

  it("takes no error that quotes the failing one for it", async () => {
    const quoting = { ...threw, line: 9, function: "other", starts: 9, error: `Error: gave up: ${error}`, at_ms: 20 };
    const report = await reportOn(run([price, plan, threw, quoting]));
    expect(report.candidates[0]).toMatchObject({ seen: "confirmed", location: { function: "planOf" } });
  });

  it("looks before the first throw of an error that was caught and thrown again", async () => {
    const main = { file: "main.js", line: 2, function: null, starts: null };
    const again = { ...threw, at_ms: 15.5 };
    const outer = { ...threw, ...main, line: 4, at_ms: 17, values: {} };
    const late = { ...returned(3, 1, "planOf", '{"limit": 3}', 15, { ...caller, line: 7 }) };
    const hits = [plan, { ...threw, callers: [main] }, late, { ...again, line: 8, callers: [main] }, outer];
    expect((await reportOn(run(hits))).candidates[0]).toMatchObject({
      seen: "confirmed",
      location: { function: "planOf" },
    });
  });

  it("looks before the last of several throws that aren't one", async () => {
    const main = { file: "main.js", line: 2, function: null, starts: null };
    const found = { ...plan, returned: '{"limit": 3}', at_ms: 15 };
    const hits = [plan, { ...threw, callers: [main] }, found, { ...threw, at_ms: 16, callers: [main] }];
    expect((await reportOn(run(hits))).candidates.filter(({ seen }) => seen === "confirmed")).toEqual([]);
  });

  it("follows the value through functions that hand it on", async () => {
    const handed: Hit = {
      ...plan,
      file: "src/plan.js",
      callers: [{ ...caller, file: "src/plan.js", line: 6, starts: 5, function: "priceOf" }],
    };
    const outer = returned(6, 5, "priceOf", "undefined", 11);
    const report = await reportOn(run([handed, outer, threw]));
    expect(report.candidates[0]).toMatchObject({ seen: "confirmed", location: { function: "planOf" } });
  });

  it("names the places to watch only when asked, with the stop from which to follow", async () => {
    expect((await reportOn(undefined)).watch).toBeUndefined();
    const first = await reportOn({ runs: [] });
    expect(first.watch_for).toEqual([error.slice("TypeError: ".length)]);
    expect(first.watch).toContainEqual({ file: "src/limit.js", line: 5, function: "limitOf", starts: 2 });
    expect(first.watch?.every(({ follow_from: from }) => from === undefined)).toBe(true);
    const begun: Hit = { ...threw, kind: "reached", line: 3, at_ms: 7, nth: 6, values: {} };
    const next = await reportOn(run([begun, threw]));
    expect(next.watch?.[0]).toEqual({ file: "src/limit.js", line: 3, function: "limitOf", starts: 2, follow_from: 6 });
  });
});
