import { withheldText } from "@whence/protocol/redaction";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { type Ending, type Programs, preparePrograms, runTimed } from "../equivalence-programs.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
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

async function crashes(
  node: string,
  answer: string,
  waiting: number,
  flags: readonly string[],
): Promise<{ ending: Ending; ms: number }> {
  return await runTimed(programs.folder, {
    runtime: runtimeNamed(node),
    file: "asks-before-send.cjs",
    args: [answer, String(waiting)],
    flags,
    env: { WHENCE_ENDPOINT: gateway.url },
  });
}

const watched = ["--conditions=watched"];

/** Removes a line of Node's own, which stacks up to Node 20 have wherever an AsyncLocalStorage is in use. */
const withoutTrampoline = (ending: Ending): Ending => ({
  ...ending,
  stderr: ending.stderr.replaceAll(/\n +at process\.callbackTrampoline [^\n]*/g, ""),
});

describe("a crash during a call of beforeSend", () => {
  it.each([
    ["18", "answers later", 1],
    ["20", "answers later", 50],
    ["26", "answers later", 50],
    ["26", "never answers", 1],
    ["26", "never answers", 50],
    ["18", "fails at the crash", 50],
    ["26", "fails at the crash", 1],
  ])("sends queued events without their data (Node %s, a hook that %s, %i events)", async (node, answer, waiting) => {
    const { ending: without, ms: msWithout } = await crashes(node, answer, waiting, []);
    const { ending, ms } = await crashes(node, answer, waiting, watched);
    expect(withoutTrampoline(ending)).toEqual(without);
    expect(ending).toMatchObject({ code: 1, signal: null });
    const events = gateway.events("exception");
    expect(new Set(events.map(({ id }) => id)).size).toBe(waiting + 1);
    expect(events).toHaveLength(waiting + 1);
    expect(events.filter(({ level }) => level === "critical")).toHaveLength(1);
    expect(new Set(events.map(({ message }) => message))).toEqual(new Set([withheldText]));
    expect(events.every(({ exceptions }) => (exceptions?.[0]?.frames?.length ?? 0) > 0)).toBe(true);
    expect(ms).toBeLessThan(msWithout + sdkLimits.beforeSendWaitMs + sdkLimits.crashWaitMs);
  });

  it("doesn't delay the exit further when the service doesn't answer", async () => {
    const answered = await crashes("26", "never answers", 50, watched);
    gateway.answers.push({ status: 202, afterMs: 60_000 });
    const { ending, ms } = await crashes("26", "never answers", 50, watched);
    expect(ending.code).toBe(1);
    expect(ms).toBeGreaterThan(sdkLimits.crashWaitMs);
    expect(ms).toBeLessThan(answered.ms + sdkLimits.requestTimeoutMs);
  });
});
