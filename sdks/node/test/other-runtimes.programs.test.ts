import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { buildSdk, type SdkBuild } from "./sdk-build.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const require = createRequire(import.meta.url);
const bun = join(dirname(require.resolve("@oven/bun-linux-x64/package.json")), "bin", "bun");
const deno = join(dirname(require.resolve("@deno/linux-x64-glibc/package.json")), "deno");
const program = join(import.meta.dirname, "programs", "other-runtimes.cjs");

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

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[]): Promise<Ended> {
  const env = {
    PATH: process.env.PATH,
    TMPDIR: temporaryFolder(),
    HOME: sdk.folder,
    NO_COLOR: "1",
    WHENCE_SDK: join(sdk.folder, "index.cjs"),
    WHENCE_ENDPOINT: gateway.url,
  };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    text.stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    text.stderr += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, ...text }));
  });
}

const failures = (): unknown[] =>
  gateway
    .events()
    .flatMap(({ type, mechanism, exceptions }) =>
      type === "exception" || type === "log" ? [`${mechanism.type}: ${exceptions?.[0]?.message}`] : [],
    );

describe.each([
  ["bun", bun, ["--unhandled-rejections=throw"]],
  ["deno", deno, ["run", "--allow-all", "--no-lock"]],
])("a program in %s", (name, command, flags) => {
  it.each([
    ["flush", 0, ["captureException: captured", "console: logged"]],
    ["crash", 1, ["uncaughtException: thrown"]],
    ["reject", 1, ["unhandledRejection: rejected"]],
    ["exit", 3, ["captureException: before the exit"]],
    ["serve", 0, ["captureException: while serving"]],
  ])("reports its failures: %s", async (way, code, expected) => {
    const ended = await run(command, [...flags, program, way]);
    expect(ended.code).toBe(code);
    expect(ended.stderr).not.toContain("WhenceWarning");
    expect(failures()).toEqual(expected);
    if (way === "flush") expect(ended.stdout).toBe("flush: true\n");
    expect(gateway.batches[0]?.host.runtime.name).toBe(name);
  });
});

describe("failures that can't be reported are announced at the start, once", () => {
  it("in Bun, which hides unhandled rejections", async () => {
    const { stderr } = await run(bun, [program, "flush"]);
    expect(stderr.match(/Bun hides unhandled rejections: start it with --unhandled-rejections=throw/g)).toHaveLength(1);
  });

  it("in Node without the permissions to start a thread and to connect", async () => {
    const reading = ["--permission", "--allow-fs-read=*"];
    const { stderr } = await run(process.execPath, [...reading, program, "crash"]);
    expect(stderr.match(/without --allow-worker, a crash can't be sent/g)).toHaveLength(1);
    expect(stderr.match(/without --allow-net, nothing can be sent/g)).toHaveLength(1);
    const allowed = await run(process.execPath, [...reading, "--allow-worker", "--allow-net", program, "crash"]);
    expect(allowed.stderr).not.toContain("WhenceWarning");
    expect(failures()).toEqual(["uncaughtException: thrown"]);
  });
});
