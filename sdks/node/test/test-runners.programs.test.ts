import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { runtimes } from "./runtimes.ts";
import { buildSdk, type SdkBuild } from "./sdk-build.ts";
import { temporaryFolder } from "./temporary-folder.ts";

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

describe("test files that each start the client in their own context", () => {
  it.each(runtimes)("end as without it, and have one client at a time (Node $name)", async ({ path }) => {
    const args = ["--require", "./hurries.cjs", "test-files.cjs"];
    const cwd = join(import.meta.dirname, "programs");
    const env = { TMPDIR: temporaryFolder(), WHENCE_SDK: join(sdk.folder, "index.cjs"), WHENCE_ENDPOINT: gateway.url };
    // Rejects when the program exits with a code other than 0.
    const { stdout, stderr } = await promisify(execFile)(path, args, { cwd, env });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ threads: 1, holding: 0 });
    const left = gateway.events("log").filter(({ message }) => message?.startsWith("left"));
    expect(left.map(({ message }) => message)).toEqual([
      "left by the first",
      "left by the second",
      "left by the third",
    ]);
  });
});

describe("a test run's output through console.error", () => {
  const failing = `
    const { it } = require("node:test");
    const sdk = require(process.env.WHENCE_SDK);
    sdk.init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
    it("fails", async () => {
      console.error(new Error("expected 1 to be 2"));
      sdk.captureMessage("left by the test");
      await sdk.flush();
    });
  `;
  const env = () => ({
    TMPDIR: temporaryFolder(),
    WHENCE_SDK: join(sdk.folder, "index.cjs"),
    WHENCE_ENDPOINT: gateway.url,
  });

  it.each([
    ["node --test", (file: string) => ["--test", file], "failing.test.cjs"],
    ["mocha", (file: string) => [file], "node_modules/mocha/bin/mocha.js"],
    ["jest", (file: string) => [file], "node_modules/.bin/jest"],
    ["a process of jest", (file: string) => [file], "node_modules/jest-worker/build/processChild.js"],
    ["a process of vitest", (file: string) => [file], "node_modules/vitest/dist/workers/forks.js"],
  ])("is a breadcrumb rather than an event: %s", async (_runner, flags, name) => {
    const folder = await mkdtemp(join(tmpdir(), "whence-tests-"));
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, failing);
    await promisify(execFile)(process.execPath, flags(file), { cwd: folder, env: env() });
    await rm(folder, { recursive: true });
    expect(gateway.events("log").map(({ message }) => message)).toEqual(["left by the test"]);
    expect(gateway.events("log")[0]?.breadcrumbs?.at(-1)).toMatchObject({ level: "warning" });
  });
});
