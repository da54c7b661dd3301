import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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
  return () => gateway.close();
});

/** Returns the events of a program's failures. */
async function reported(program: string): Promise<unknown[]> {
  await runProgram("prints-lines.cjs", { sdk: sdk.folder, endpoint: gateway.url, args: [program] });
  return gateway
    .events()
    .filter(({ type }) => type === "log" || type === "exception")
    .map(({ mechanism, message, exceptions = [] }) => {
      const calls = exceptions[0]?.frames?.filter(({ function: name }) => name === "fail").length;
      return [mechanism.type, message.split("\n")[0], exceptions[0]?.message, calls];
    });
}

describe("a failure printed in several calls is one event", () => {
  it.each([
    ["lineByLine", ["console", "TypeError: printed line by line", "printed line by line", 1]],
    ["messageThenStack", ["console", "TypeError: the message, then the stack", "the message, then the stack", 1]],
    ["messageThenError", ["console", "the message, then the error", "the message, then the error", 1]],
    ["capturedThenLines", ["captureException", "captured, then printed", "captured, then printed", 1]],
    ["linesThenCaptured", ["captureException", "printed, then captured", "printed, then captured", 1]],
    ["detailsOfAnError", ["console", "an error with details", "an error with details", 1]],
    ["lineThenCrash", ["uncaughtException", "printed, then thrown", "printed, then thrown", 1]],
  ])("%s", async (program, expected) => {
    expect(await reported(program)).toEqual([expected]);
  });

  it("while separate lines are separate events", async () => {
    expect(await reported("severalFailures")).toEqual([
      ["console", "order 31 is lost", undefined, undefined],
      ["console", "order 32 is lost", undefined, undefined],
      ["console", "another", "another", 1],
    ]);
  });
});
