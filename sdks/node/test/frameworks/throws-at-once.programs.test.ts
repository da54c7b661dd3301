import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { type Programs, preparePrograms, run } from "../equivalence-programs.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { runUntilSent } from "../next-start.ts";
import { runtimeNamed } from "../runtimes.ts";

let programs: Programs;
let gateway: TestGateway;

beforeAll(async () => {
  programs = await preparePrograms();
});
beforeEach(async () => {
  gateway = await startGateway();
  return () => gateway.close();
});
afterAll(() => programs.remove());

const ways = ["listener", "timer", "immediate", "event"];

describe.each(["18", "20", "26"])("on Node %s", (runtime) => {
  it.each(ways)("an error thrown out of a wrapped function prints the same source line: %s", async (way) => {
    const program = { runtime: runtimeNamed(runtime), file: "throws-at-once.cjs", args: [way] };
    const env = { WHENCE_SDK: join(programs.folder, "sdk", "index.cjs"), WHENCE_ENDPOINT: gateway.url };
    const plain = await run(programs.folder, program);
    const watched = await runUntilSent(programs.folder, { ...program, env }, sdkLimits.crashWaitMs);
    expect(plain.stderr).toContain('throw new Error("no stock");\n  ^');
    expect({ ...watched, stderr: withoutCalls(watched.stderr) }).toEqual({
      ...plain,
      stderr: withoutCalls(plain.stderr),
    });
    expect(gateway.events("exception")).toMatchObject([
      {
        message: "no stock",
        level: "critical",
        mechanism: { type: "uncaughtException", handled: false },
        ...(way === "listener" ? { request: { path: "/orders/31" } } : { attributes: { job: "tick" } }),
      },
    ]);
  });
});

/** Removes calls: a wrapper that a program adds is one of the ten that Node prints. */
function withoutCalls(stderr: string): string {
  return stderr.replace(/\n {4}at .*/g, "");
}
