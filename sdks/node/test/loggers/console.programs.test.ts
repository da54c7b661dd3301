import type { TelemetryEvent } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../gateway.ts";
import { buildSdk, runProgram, type SdkBuild } from "../sdk-build.ts";

let sdk: SdkBuild;
let gateway: TestGateway;
beforeAll(async () => {
  sdk = await buildSdk();
});
afterAll(() => sdk.remove());
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const run = (args: string[] = []) => runProgram("console.cjs", { sdk: sdk.folder, endpoint: gateway.url, args });

const brief = ({ type, level, message, mechanism, exceptions }: TelemetryEvent): unknown => [
  `${type} ${level} ${mechanism.type}`,
  message,
  ...(exceptions ?? []).map((exception) => `${exception.type}: ${exception.message}`),
];

describe("a console call", () => {
  // requirement: telemetry.log-records
  it("of console.error is an event with the printed error, once for each error", async () => {
    const { code } = await run();
    const told = gateway.events().filter(({ type }) => type === "log" || type === "exception");
    expect(code).toBe(0);
    expect(told.map(brief)).toEqual([
      ["log error console", 'a line that is no error {"order":31}'],
      ["log error console", "alone", "TypeError: alone"],
      ["log error console", "with words: RangeError: in words 5", "RangeError: in words"],
      ["log error console", expect.stringMatching(/^Error: printed\n {4}at run/), "Error: printed"],
      [
        "log error console",
        expect.stringMatching(/^order 31: SyntaxError: printed after words\n/),
        "SyntaxError: printed after words",
      ],
      [
        "log error console",
        expect.stringMatching(/^in a sentence: EvalError: printed in a sentence\n/),
        "EvalError: printed in a sentence",
      ],
      ["log error console", 'in a field {"error":"URIError: of a field","order":31}', "URIError: of a field"],
      ["log error console", "aborted AbortError: This operation was aborted", "AbortError: This operation was aborted"],
      ["log error console", "red letters"],
      ["log error console", expect.stringContaining("trapped"), "Error: trapped"],
      ["log error console", "detached"],
      ["log error console", "in a context"],
      ["exception error captureException", "logged, then captured", "Error: logged, then captured"],
      ["exception error captureException", "printed, then captured", "Error: printed, then captured"],
      [
        "exception error captureException",
        "printed behind a sign, then captured",
        "Error: printed behind a sign, then captured",
      ],
      ["exception error captureException", "captured, then logged twice", "Error: captured, then logged twice"],
      ["log error console", "failed: Error: logged, then thrown", "Error: logged, then thrown"],
    ]);
  });

  it("of an error that is captured later keeps the rest of its text", async () => {
    await run();
    const lastOf = (text: string): unknown =>
      gateway
        .events()
        .find(({ message }) => message === text)
        ?.breadcrumbs?.at(-1);
    expect(lastOf("printed, then captured")).toMatchObject({
      level: "error",
      message: "order 31: Error: printed, then captured",
    });
    expect(lastOf("printed behind a sign, then captured")).not.toMatchObject({ level: "error" });
  });

  it("of another method is a breadcrumb with its level", async () => {
    await run();
    const { breadcrumbs = [] } = gateway.events("exception").at(-1) ?? {};
    expect(breadcrumbs.map(({ category, level, message }) => [category, level, message])).toEqual([
      ["log", "info", 'plain text 7 {"a":1} % rest [1,2]'],
      ["log", "info", "info"],
      ["log", "debug", "debug"],
      ["log", "warning", 'warning {"deep":{"er":{"and":{"deeper":1}}}}'],
      ["log", "debug", expect.stringMatching(/^Trace: where am I\n/)],
      ["log", "warning", "Assertion failed: not so"],
      ["log", "info", expect.stringContaining("(index)")],
      ["log", "info", "group"],
    ]);
  });

  it("has the same output as without the client, byte for byte", async () => {
    for (const args of [[], ["throw"]]) {
      const [watched, alone] = [await run(args), await runProgram("console.cjs", { args })];
      const { ms: _ms, ...ending } = watched;
      expect(ending).toEqual({ code: alone.code, signal: null, stdout: alone.stdout, stderr: alone.stderr });
    }
  });

  it("of an error that then ends the process is reported as that crash", async () => {
    await run(["throw"]);
    const last = gateway.events().filter(({ message }) => message.includes("logged, then thrown"));
    expect(last.map(brief)).toEqual([
      ["exception critical uncaughtException", "logged, then thrown", "Error: logged, then thrown"],
    ]);
  });
});
