import { createServer, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeServer, listen } from "../gateway.ts";
import { buildSdk, runProgram, type SdkBuild } from "../sdk-build.ts";

let sdk: SdkBuild;
let server: Server;
let requests: number;
beforeAll(async () => {
  sdk = await buildSdk();
});
afterAll(() => sdk.remove());
beforeEach(() => {
  requests = 0;
  // Accepts connections and requests, and never responds.
  server = createServer(() => {
    requests += 1;
  });
});
afterEach(() => closeServer(server));

describe("a program with nothing left to do", () => {
  it("ends during a request that is never answered, well before that request's timeout", async () => {
    const endpoint = `http://127.0.0.1:${await listen(server)}`;
    const { code, stdout, stderr, ms } = await runProgram("idle.cjs", { sdk: sdk.folder, endpoint });
    expect([code, stdout, stderr]).toEqual([0, "false\n", ""]);
    expect(requests).toBeGreaterThan(0);
    expect(ms).toBeLessThan(8_000);
  });
});
