import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { httpBreadcrumbDataSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway } from "../gateway.ts";
import { runtimes } from "../runtimes.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let sdk: SdkBuild;
beforeAll(async () => {
  sdk = await buildSdk();
});
afterAll(() => sdk.remove());

/** Runs `programs/outgoing.cjs` and returns what it recorded, without ports and times. */
async function seenBy(node: string, undici?: string): Promise<unknown[]> {
  const gateway = await startGateway();
  const program = join(import.meta.dirname, "../programs", "outgoing.cjs");
  const child = spawn(node, [program, ...(undici === undefined ? [] : [undici])], {
    env: { TMPDIR: temporaryFolder(), WHENCE_SDK: join(sdk.folder, "index.cjs"), WHENCE_ENDPOINT: gateway.url },
    stdio: "inherit",
  });
  await once(child, "exit");
  await gateway.close();
  const trail = gateway.events("exception").find(({ message }) => message === "seen")?.breadcrumbs ?? [];
  return trail.map(({ data }) => {
    const { duration_ms, method, url, ...outcome } = httpBreadcrumbDataSchema.parse(data);
    expect(duration_ms).toEqual(expect.any(Number));
    return { ...(method === "GET" ? {} : { method }), url: url.replace(/:\d+\//, "/"), ...outcome };
  });
}

const cutOff = { status_code: 200, error: "other side closed", error_code: "UND_ERR_SOCKET" };
const ofHttp = (hangUp: object): unknown[] => [
  { url: "http://localhost/kept", status_code: 200 },
  { url: "http://localhost/kept", status_code: 200 },
  { url: "http://localhost/hang", ...hangUp },
  { url: "http://localhost/hang", error: "too slow" },
  { url: "http://localhost/switch", status_code: 101 },
  { url: "http://behind.proxy/x?a=b", status_code: 200 },
  { method: "CONNECT", url: "http://localhost/behind.proxy:443", ...hangUp },
  { url: "http://127.0.0.1/user", status_code: 200 },
  { url: "http://127.0.0.1/redirect", status_code: 302 },
  { url: "http://127.0.0.1/landed", status_code: 200 },
  { url: "http://127.0.0.1/hang", error: "The operation was aborted due to timeout" },
  { url: "http://127.0.0.1/broken", ...cutOff },
];
const ofHttp2 = [
  { url: "http://127.0.0.1/two", status_code: 204 },
  {
    url: "http://127.0.0.1/reset",
    error: "Stream closed with error code NGHTTP2_INTERNAL_ERROR",
    error_code: "ERR_HTTP2_STREAM_ERROR",
  },
];
const ofWebSocket = [
  { url: "http://127.0.0.1/socket", status_code: 101 },
  { url: "http://127.0.0.1/", error: "connect ECONNREFUSED 127.0.0.1:2", error_code: "ECONNREFUSED" },
];

describe("requests of http, fetch, and http2: kept-alive connections, aborts, timeouts, redirects, truncated responses", () => {
  it.each(runtimes)("are breadcrumbs with their outcome, and no credentials, on Node $name", async (runtime) => {
    const hangUp = { error: "socket hang up", error_code: "ECONNRESET" };
    const expected = ofHttp(hangUp);
    expect(await seenBy(runtime.path)).toEqual(
      Number(runtime.name) < 22 ? expected : [...expected, ...ofHttp2, ...ofWebSocket],
    );
  });
});

describe("requests of undici from npm", () => {
  const { resolve } = createRequire(import.meta.url);
  const pathOf = (wanted: string): string => runtimes.find(({ name }) => name === wanted)?.path ?? process.execPath;
  it.each([
    ["5", "18", resolve("undici-5")],
    ["6", "20", resolve("undici-6")],
    ["7", "22", resolve("undici-7")],
    ["8", "26", resolve("undici-8")],
  ])("%s are breadcrumbs on Node %s", async (_undici, node, path) => {
    expect(await seenBy(pathOf(node), path)).toEqual([
      { url: "http://127.0.0.1/undici?q=1", status_code: 200 },
      { url: "http://127.0.0.1/broken", ...cutOff },
      { url: "http://behind.proxy/x?a=b", status_code: 200 },
    ]);
  });
});
