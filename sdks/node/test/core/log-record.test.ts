import { describe, expect, it } from "vitest";
import { errorIn, isRecordOf, printedError, withPrintedError } from "../../src/core/log-record.ts";

const calls = "\n    at run (/srv/app/run.js:1:2)\n    at /srv/app/main.js:3:4";

describe("the error of a printed stack", () => {
  it.each([
    ["alone", `TypeError: no id${calls}`, "TypeError", "no id"],
    ["with a code in its title", `TypeError [ERR_X]: no id${calls}`, "TypeError", "no id"],
    ["without a message", `Error${calls}`, "Error", ""],
    ["with a message of several lines", `Error: no id\nin the order${calls}`, "Error", "no id\nin the order"],
    ["set apart and indented", `\n  Error: no id${calls.replaceAll("\n", "\n  ")}\n`, "Error", "no id"],
    ["after other lines", `Debug: internal\nand more\n    Error: no id${calls}`, "Error", "no id"],
  ])("is found %s", (_where, message, name, said) => {
    const found = printedError(message);
    expect(found).toMatchObject({ name, message: said });
    expect(Reflect.get(Object(found), "stack")).toMatch(new RegExp(`^${name}`));
    expect(String(Reflect.get(Object(found), "stack")).endsWith(calls)).toBe(true);
  });

  it.each([
    ["a title without calls", "Error: no id"],
    ["calls without a title", `could not run${calls}`],
    ["calls after other lines without one", `could not run\nthe order${calls}`],
    ["nothing but a trace", `Trace: here${calls}`],
  ])("isn't found in %s", (_what, message) => {
    expect(printedError(message)).toBeUndefined();
  });

  it("is recognized in a failure's record from any logger", () => {
    const error = new Error("no id");
    const record = { logger: "pino", message: `failed: ${error.stack}` } as const;
    const tells = (level: "error" | "warning"): boolean => isRecordOf(withPrintedError({ ...record, level }), error);
    expect([tells("error"), tells("warning")]).toEqual([true, false]);
  });
});

describe("the error among the fields of a record", () => {
  it.each([
    ["an error", { error: new TypeError("x") }, "error"],
    ["what a serializer made of one", { id: 7, err: { type: "TypeError", message: "x", stack: "" } }, "err"],
    ["its stack alone", { failure: { stack: "TypeError: x\n    at run (/srv/run.js:1:2)" } }, "failure"],
    ["none where something else has a stack", { target: { stack: "production", region: "north" } }, undefined],
  ])("is %s", (_what, record, field) => {
    expect(errorIn(record)?.field).toBe(field);
  });
});
