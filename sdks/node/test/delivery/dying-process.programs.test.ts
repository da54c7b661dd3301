import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import {
  begin,
  type Ending,
  type Programs,
  preparePrograms,
  run,
  runTimed,
  type Start,
} from "../equivalence-programs.ts";
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

const failing = (file: string, args: readonly string[] = [], endpoint = gateway.url): Start => ({
  runtime: runtimeNamed("26"),
  file,
  args,
  flags: ["--conditions=watched"],
  env: { WHENCE_API_KEY: "whk_test", WHENCE_ENDPOINT: endpoint },
});

/** Runs a program that fails, and measures its duration. */
async function fails(...given: Parameters<typeof failing>): Promise<Ending & { readonly ms: number }> {
  const { ending, ms } = await runTimed(programs.folder, failing(...given));
  return { ...ending, ms };
}

/** Runs a program that fails, until what it reports has arrived. */
async function reports(file: string, args?: readonly string[], waitMs?: number): Promise<Ending> {
  return await runUntilSent(programs.folder, failing(file, args), waitMs);
}

describe("a dying process", () => {
  // requirement: telemetry.uncaught-exceptions
  it("reports its crash with breadcrumbs and source lines", async () => {
    const { code } = await reports("crash.mjs", [], sdkLimits.crashWaitMs);
    const [event] = gateway.events("exception");
    expect(code).toBe(1);
    expect(event).toMatchObject({ level: "critical", mechanism: { type: "uncaughtException", handled: false } });
    expect(event?.breadcrumbs).toMatchObject([{ category: "order", message: "about to fail" }]);
    const context = event?.exceptions?.[0]?.frames?.[0]?.context;
    expect(context?.lines).toContain('  throw new RangeError("out of stock");');
  });

  it.each(["es2017", "node18"])("reports its crash when bundled for %s", async (target) => {
    const outfile = join(programs.folder, `bundled-${target}.cjs`);
    const entryPoints = [join(programs.folder, "crash.mjs")];
    const alias = { "#client": join(programs.folder, "sdk/index.js") };
    const how = { bundle: true, platform: "node", format: "cjs", keepNames: true, logLevel: "silent" } as const;
    await build({ ...how, entryPoints, outfile, alias, target, supported: { "dynamic-import": true } });
    const { code } = await reports(`bundled-${target}.cjs`, [], sdkLimits.crashWaitMs);
    expect([code, gateway.events("exception")[0]?.message]).toEqual([1, "out of stock"]);
  });

  it("reports captured errors with source lines, whether it exits or runs out of work", async () => {
    for (const ending of ["exits with 3", "runs out of work"]) await reports("run.cjs", [ending]);
    const lines = gateway.events("exception").map(({ exceptions }) => exceptions?.[0]?.frames?.[0]?.context?.lines);
    const line =
      'const failure = (message = "order lost") => new Error(message, { cause: new TypeError("no such column") });';
    expect(lines).toEqual([expect.arrayContaining([line]), expect.arrayContaining([line])]);
  });

  it.each(["18", "26"])("reports its crash when it can't open more files: Node %s", async (node) => {
    const shell = { ...runtimeNamed(node), path: "/bin/sh" };
    const limited = ["-c", 'ulimit -n 64 && exec "$0" "$@"', runtimeNamed(node).path, "--conditions=watched"];
    const env = { WHENCE_ENDPOINT: gateway.url };
    await runUntilSent(programs.folder, { runtime: shell, flags: limited, file: "opens-too-many-files.mjs", env });
    expect(gateway.events("exception")).toMatchObject([
      { level: "critical", exceptions: [{ properties: { code: "EMFILE" } }] },
    ]);
  });

  it("starts no thread when its address space has no room for one, which would abort it", async () => {
    const shell = { ...runtimeNamed("26"), path: "/bin/sh" };
    const limited = ["-c", 'ulimit -v 1600000 && exec "$0" "$@"', runtimeNamed("26").path, "--conditions=watched"];
    const env = { WHENCE_API_KEY: "whk_test", WHENCE_ENDPOINT: gateway.url };
    for (const [ending, code] of [
      ["throws an error", 1],
      ["exits with 3", 3],
    ] as const) {
      const ended = await run(programs.folder, {
        runtime: shell,
        flags: limited,
        file: "run.cjs",
        args: [ending],
        env,
      });
      expect([ended.code, ended.signal]).toEqual([code, null]);
    }
  });

  it("reserves descriptors once for all of its threads, which the program may close", async () => {
    const { stdout } = await fails("keeps-descriptors.mjs");
    expect(stdout).toBe("10 held, a thread holds none, closed: true\na file of the program is open\n");
  });

  it("waits for the service for 1.5 seconds, and not until its request times out", async () => {
    const answered = await fails("run.cjs", ["throws an error"]);
    gateway.answers.push({ status: 202, afterMs: 60_000 });
    const { code, ms } = await fails("run.cjs", ["throws an error"]);
    expect(code).toBe(1);
    expect(ms).toBeGreaterThan(sdkLimits.crashWaitMs);
    expect(ms).toBeLessThan(answered.ms + sdkLimits.requestTimeoutMs);
  });

  it("doesn't wait when there is no service", async () => {
    const closed = await startGateway();
    await closed.close();
    const { code, stderr } = await fails("run.cjs", ["throws an error"], closed.url);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Error: order lost")]);
  });
});

describe("a program with frozen globals", () => {
  it("keeps running", async () => {
    const { code, stdout, stderr } = await fails("freezes-process.mjs");
    expect([code, stdout, stderr]).toEqual([0, "lives\n", ""]);
  });
});

describe("a dying thread", () => {
  it("leaves reporting its error to its parent when it can neither send nor save it", async () => {
    gateway.answers.push({ status: 503 });
    await run(programs.folder, {
      runtime: runtimeNamed("26"),
      file: "run.cjs",
      args: ["has its thread throw, and listens"],
      flags: ["--conditions=watched"],
      env: { WHENCE_ENDPOINT: gateway.url, TMPDIR: "/proc/nowhere" },
    });
    expect(gateway.events("exception")).toMatchObject([{ mechanism: { type: "workerThread" }, message: "order lost" }]);
  });
});

describe("a process with nothing left to do", () => {
  it("isn't kept alive by a connection attempt that gets no answer", async () => {
    const unreachable = begin(programs.folder, { runtime: runtimeNamed("26"), file: "unreachable.cjs" });
    const port = await new Promise((resolve) => unreachable.child.stdout?.once("data", resolve));
    const answered = await fails("run.cjs", ["catches and lives"]);
    const { ms, code } = await fails("run.cjs", ["catches and lives"], `http://127.0.0.1:${String(port).trim()}`);
    unreachable.child.kill("SIGKILL");
    await unreachable.ended;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(answered.ms + sdkLimits.connectTimeoutMs + sdkLimits.crashWaitMs);
  });
});
