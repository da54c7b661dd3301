import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { buildSdk, runProgram, type SdkBuild } from "./sdk-build.ts";

/** How a program ends, Node's flags, and what of it arrives: type, mechanism and message of each event. */
const endings: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["throws", [], ["exception uncaughtException order lost"]],
  ["throws-later", [], ["exception uncaughtException order lost"]],
  ["throws-string", [], ["exception uncaughtException plain words"]],
  ["throws-undefined", [], ["exception uncaughtException undefined"]],
  ["throws-frozen", [], ["exception uncaughtException order lost"]],
  ["throws-in-exit-handler", [], ["exception uncaughtException order lost"]],
  ["rejects", [], ["exception unhandledRejection order lost"]],
  ["rejects-string", [], ["exception unhandledRejection "]],
  ["rejects", ["--unhandled-rejections=strict"], ["exception unhandledRejection order lost"]],
  ["rejects", ["--unhandled-rejections=warn"], ["exception unhandledRejection order lost", "exit exit exit"]],
  ["rejects", ["--unhandled-rejections=none"], ["exception unhandledRejection order lost", "exit exit exit"]],
  ["rejects", ["--unhandled-rejections=warn-with-error-code"], []],
  ["exits-3", [], ["exception captureException order lost", "exit exit exit"]],
  ["runs-out", [], ["exception captureException order lost", "exit exit exit"]],
  ["runs-out-untouched", [], []],
  ["catches-and-lives", [], ["exception uncaughtException order lost", "exit exit exit"]],
  ["catches-and-exits", [], ["exception uncaughtException order lost", "exit exit exit"]],
  ["handles-rejections", [], ["exception unhandledRejection order lost", "exit exit exit"]],
  ["handles-one-rejection", [], ["exception unhandledRejection order lost", "exception unhandledRejection second"]],
  ["prints-in-exit-handler", [], ["log captureMessage on the way out", "exit exit exit"]],
];

let sdk: SdkBuild;
let gateway: TestGateway;

beforeAll(async () => {
  sdk = await buildSdk();
});
beforeEach(async () => {
  gateway = await startGateway();
  return () => gateway.close();
});
afterAll(() => sdk.remove());

describe("a program", () => {
  // requirement: telemetry.uncaught-exceptions
  // requirement: telemetry.unhandled-rejections
  it.each(endings)(
    "that %s %j ends and prints as without the client, and tells of it",
    async (ending, flags, expected) => {
      const without = await runProgram("endings.cjs", { flags, args: [ending] });
      const watched = await runProgram("endings.cjs", {
        flags,
        args: [ending],
        sdk: sdk.folder,
        endpoint: gateway.url,
      });
      expect(masked(watched)).toEqual(masked(without));
      const told = gateway
        .events()
        .filter(({ type }) => type !== "heartbeat")
        .sort((a, b) => a.seq - b.seq);
      expect([...new Map(told.map((event) => [event.id, event])).values()].map(describeEvent)).toEqual(expected);
    },
  );

  // requirement: telemetry.uncaught-exceptions
  it("that is an ES module tells of its crash with the breadcrumbs and the lines around it", async () => {
    const { code } = await runProgram("crash.mjs", { sdk: sdk.folder, endpoint: gateway.url });
    const [event] = gateway.events("exception");
    expect(code).toBe(1);
    expect(event).toMatchObject({ level: "critical", mechanism: { type: "uncaughtException", handled: false } });
    expect(event?.breadcrumbs).toMatchObject([{ category: "order", message: "about to fail" }]);
    const context = event?.exceptions?.[0]?.frames?.[0]?.context;
    expect(context?.lines).toContain('  throw new RangeError("out of stock");');
  });

  it("dies within two seconds when the service doesn't answer", async () => {
    gateway.answers.push({ status: 202, afterMs: 30_000 });
    const ending = await runProgram("endings.cjs", { args: ["throws"], sdk: sdk.folder, endpoint: gateway.url });
    expect(ending.code).toBe(1);
    expect(ending.ms).toBeLessThan(4_000);
  });

  it("ends as ever when there is no service", async () => {
    const without = await runProgram("endings.cjs", { args: ["throws"] });
    const endpoint = gateway.url;
    await gateway.close();
    const watched = await runProgram("endings.cjs", { args: ["throws"], sdk: sdk.folder, endpoint });
    expect(masked(watched)).toEqual(masked(without));
    gateway = await startGateway();
  });
});

/**
 * Warnings carry the process id. And Node calls a lone listener from another line of its own code than one of several,
 * which shows in the stack of an error made inside an `exit` listener, since the client has one, too.
 */
function masked({ code, signal, stdout, stderr }: Awaited<ReturnType<typeof runProgram>>): object {
  const text = stderr.replaceAll(/\(node:\d+\)/g, "(node:pid)").replaceAll(/node:events:\d+:\d+/g, "node:events");
  return { code, signal, stdout, stderr: text };
}

function describeEvent({
  type,
  mechanism,
  message,
}: {
  type: string;
  mechanism: { type: string };
  message: string;
}): string {
  return `${type} ${mechanism.type} ${message.startsWith("This error originated") ? "" : message}`;
}
