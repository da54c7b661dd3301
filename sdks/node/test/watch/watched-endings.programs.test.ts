import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minuteMs, type WatchOrder } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../gateway.ts";
import { runtimeNamed } from "../runtimes.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { signer } from "./signer.ts";

const program = join(import.meta.dirname, "../programs/watched-ending.cjs");
const plan = join(import.meta.dirname, "../programs/watched-plan.cjs");
const sha256 = createHash("sha256").update(readFileSync(plan)).digest("hex");
const place = { file: "programs/watched-plan.cjs", line: 6, function: "planOf", starts: 4, sha256 };
const ours = signer("org_1");
const answersMax = 200;

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

function order(): WatchOrder {
  const now = Date.now();
  return {
    ...{ id: "wat_1", organization: "org_1", service: "shop", env: "PROD", release: "7", places: [place] },
    ...{ issued_at: new Date(now).toISOString(), expires_at: new Date(now + 30 * minuteMs).toISOString() },
  };
}

/** How a program ended, and what it printed; without what differs between two runs. */
async function run(runtime: string, args: readonly string[], env: Record<string, string> = {}) {
  const options = { env: { PATH: process.env.PATH, TMPDIR: temporaryFolder(), ...env } };
  return await new Promise<object>((resolve) => {
    const child = execFile(runtimeNamed(runtime).path, [program, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr }),
    );
  });
}

const endings = [
  "runs to its end",
  "exits with a code",
  "sets its exit code",
  "throws what it was given",
  "rejects without a handler",
  "ends by a signal",
  "handles what it throws",
];
const runtimes = ["18", "26"];

describe.each(runtimes)("a program on Node %s whose places may be watched", (runtime) => {
  it.each(endings)("%s as without the client, when allowed, and when armed and hit", async (ending) => {
    const without = await run(runtime, [ending]);
    const environment = { WHENCE_SDK: sdk.folder, WHENCE_ENDPOINT: gateway.url };
    expect(await run(runtime, [ending], environment)).toEqual(without);
    const watch = ours.signed(order());
    const body = JSON.stringify({ accepted: 1, rejected: [], watch });
    gateway.answers.push(...Array.from({ length: answersMax }, () => ({ status: 202, body })));
    expect(await run(runtime, [ending, "armed"], environment)).toEqual(without);
  });
});
