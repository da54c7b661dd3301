import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { runtimes } from "./runtimes.ts";
import { buildSdk, type SdkBuild } from "./sdk-build.ts";

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

describe("test files that each start the client in a context of their own", () => {
  it.each(runtimes)("end as they would without it, and have one client at a time (Node $name)", async ({ path }) => {
    const args = ["--require", "./hurries.cjs", "test-files.cjs"];
    const cwd = join(import.meta.dirname, "programs");
    const env = { WHENCE_SDK: join(sdk.folder, "index.cjs"), WHENCE_ENDPOINT: gateway.url };
    // Rejects when the program ends with another code than 0.
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
