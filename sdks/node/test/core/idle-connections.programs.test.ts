import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../gateway.ts";
import { runtimes } from "../runtimes.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { temporaryFolder } from "../temporary-folder.ts";

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

describe("a kept-alive connection", () => {
  it.each(runtimes)("releases its last answered request, which stays known (Node $name)", async (runtime) => {
    const args = ["--expose-gc", "--require", "./hurries.cjs", "idle-connections.cjs"];
    const cwd = join(import.meta.dirname, "../programs");
    const env = { TMPDIR: temporaryFolder(), WHENCE_SDK: join(sdk.folder, "index.cjs"), WHENCE_ENDPOINT: gateway.url };
    const { stdout, stderr } = await promisify(execFile)(runtime.path, args, { cwd, env });
    expect([stdout, stderr]).toEqual(["20 of 20\n", ""]);
    const request = { method: "GET", path: "/0", headers: { host: "shop" } };
    expect(gateway.events("exception")).toMatchObject([
      { message: "at the answer", request, breadcrumbs: [{ category: "order" }] },
      { message: "after the answer", request },
    ]);
  });
});
