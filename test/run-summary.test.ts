import { describe, expect, it } from "vitest";
import { summarize } from "./run-summary.ts";

const file = (name: string, status: string, ...tests: string[]): object => ({
  name: `/somewhere/${name}`,
  status,
  assertionResults: tests.map((test, at) => ({
    status: test,
    fullName: `fact ${at + 1}`,
    failureMessages: test === "failed" ? ["Error: expected 1 to be 2\n    at a.test.ts:7:3"] : [],
  })),
});
const results = (...testResults: object[]): object => ({ testResults });

describe("a run of all tests", () => {
  it("succeeds when every file ran and every test passed", () => {
    const run = results(file("a.test.ts", "passed", "passed", "passed"), file("b.test.ts", "passed", "passed"));
    expect(summarize([run], ["a.test.ts", "b.test.ts"])).toEqual({ problems: [], line: "3 passed, 0 failed" });
  });

  it("succeeds when each file ran in one of several runs", () => {
    const runs = ["a", "b"].map((name) => results(file(`${name}.test.ts`, "passed", "passed")));
    expect(summarize(runs, ["a.test.ts", "b.test.ts"])).toEqual({ problems: [], line: "2 passed, 0 failed" });
  });

  it("fails when a test failed, and says which and why", () => {
    const run = results(file("a.test.ts", "failed", "passed", "failed"));
    expect(summarize([run], ["a.test.ts"])).toEqual({
      problems: [
        "failed: /somewhere/a.test.ts > fact 2\n    Error: expected 1 to be 2\n        at a.test.ts:7:3",
        "1 failed",
      ],
      line: "1 passed, 1 failed",
    });
  });

  it("prints at most thirty lines of a failure", () => {
    const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");
    const told = (count: number): string | undefined =>
      summarize([results({ name: "a.test.ts", status: "failed", message: lines(count) })], []).problems[0];
    expect(told(30)).toMatch(/ line 30$/);
    expect(told(31)).toMatch(/ line 30$/);
  });

  it("fails when a test was skipped", () => {
    const run = results(file("a.test.ts", "passed", "passed", "pending"));
    expect(summarize([run], ["a.test.ts"]).problems).toEqual(["1 skipped: every test has to run"]);
  });

  it("fails when a file did not run", () => {
    const run = results(file("a.test.ts", "passed", "passed"));
    expect(summarize([run], ["a.test.ts", "b.test.ts"]).problems).toEqual(["not run: b.test.ts"]);
  });

  it("counts a file that broke before its first test as a failure", () => {
    const run = results(file("a.test.ts", "passed", "passed"), file("b.test.ts", "failed"));
    expect(summarize([run], ["a.test.ts", "b.test.ts"])).toEqual({
      problems: ["failed: /somewhere/b.test.ts", "1 failed", "not run: b.test.ts"],
      line: "1 passed, 1 failed",
    });
  });

  it.each([undefined, null, {}, { testResults: "none" }])("fails without results: %j", (none) => {
    expect(summarize([none], [])).toEqual({ problems: ["no test passed"], line: "0 passed, 0 failed" });
  });
});
