import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { addressGuard } from "../../src/http/address-guard.ts";
import { jsonBounds } from "../../src/http/bounded-json.ts";
import { type GuardedFetch, openGuardedFetch } from "../../src/http/guarded-fetch.ts";
import { startVendorServer, type VendorServer } from "./vendor-server.ts";

let server: VendorServer;
beforeAll(async () => {
  server = await startVendorServer();
});
afterAll(() => server.close());

function open(
  options: { networks?: readonly string[]; timeoutMs?: number; bytesMax?: number } = {},
): GuardedFetch["fetch"] {
  const { networks = ["127.0.0.0/8", "::1/128"], timeoutMs = 5_000, bytesMax = 100 } = options;
  const guarded = openGuardedFetch({ mayReach: addressGuard(networks), timeoutMs, bytesMax });
  onTestFinished(() => guarded.close());
  return guarded.fetch;
}

describe("the fetch that libraries get", () => {
  it("sends what it is given, and returns status, headers, and body", async () => {
    server.answer(() => ({ status: 201, headers: { "x-one": "1" }, body: { done: true } }));
    const answer = await open()(server.url, {
      method: "POST",
      headers: { "x-two": "2" },
      body: new URLSearchParams({ a: "b" }),
    });
    expect([answer.status, answer.headers.get("x-one"), await answer.json()]).toEqual([201, "1", { done: true }]);
    expect(server.requests.at(-1)).toMatchObject({ method: "POST", body: "a=b", headers: { "x-two": "2" } });
    server.answer((_request, response) => void response.writeHead(204).end());
    expect((await open()(server.url)).status).toBe(204);
  });

  it.each(["127.0.0.1", "localhost"])("reaches no address at %s that isn't allowed", async (host) => {
    const from = server.requests.length;
    const refused = open({ networks: [] })(server.url.replace("127.0.0.1", host));
    await expect(refused).rejects.toThrow("has no public address");
    expect(server.requests.length).toBe(from);
  });

  it("follows no redirect", async () => {
    server.answer(() => ({ status: 302, headers: { location: "http://169.254.169.254/" } }));
    expect((await open()(server.url)).status).toBe(302);
  });

  it("reads as many bytes as are allowed, and no more", async () => {
    server.answer(() => ({ body: "x".repeat(100) }));
    expect(await (await open({ bytesMax: 100 })(server.url)).text()).toHaveLength(100);
    await expect(open({ bytesMax: 99 })(server.url)).rejects.toThrow("more than 99 bytes");
  });

  it("accepts only JSON within the limits, which its library would parse", async () => {
    const nested = (depth: number) => ({ body: "[".repeat(depth) + "]".repeat(depth) });
    server.answer(() => nested(jsonBounds.depthMax));
    expect((await open({ bytesMax: 1_000 })(server.url)).status).toBe(200);
    server.answer(() => nested(jsonBounds.depthMax + 1));
    await expect(open({ bytesMax: 1_000 })(server.url)).rejects.toThrow("too many levels or values");
  });

  it("mends text that was cut within a character, for what its library makes of it", async () => {
    server.answer(() => ({ body: String.raw`{"name":"a\ud83d"}` }));
    expect(await (await open({ bytesMax: 1_000 })(server.url)).json()).toEqual({ name: "a\ufffd" });
  });

  it("waits no longer than allowed", async () => {
    server.answer(() => undefined);
    await expect(open({ timeoutMs: 20 })(server.url)).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
