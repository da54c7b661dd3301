import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { addressGuard } from "../../src/http/address-guard.ts";
import { openVendorHttp, type VendorHttp } from "../../src/http/vendor-http.ts";
import { vendorLimits } from "../../src/http/vendor-limits.ts";
import { startVendorServer, type VendorServer } from "./vendor-server.ts";

let vendor: VendorServer;
let http: VendorHttp;
const { signal } = new AbortController();
const schema = z.object({ ok: z.literal(true) });
const ok = { body: { ok: true } };

beforeEach(async () => {
  vendor = await startVendorServer();
  http = open();
});
afterEach(async () => {
  await http.close();
  await vendor.close();
});

function open(baseUrl = vendor.url, allowed: readonly string[] = ["127.0.0.0/8"]): VendorHttp {
  const headers = { authorization: "Bearer very-secret" };
  const mayReach = addressGuard(allowed);
  return openVendorHttp({ ...vendor.context, mayReach, vendor: "Acme", baseUrl: new URL(baseUrl), headers });
}

const ask = (of: VendorHttp = http) => of.json({ path: "/v1/things", schema }, signal);

describe("a request to a vendor", () => {
  it("carries the credentials, its query, and its body", async () => {
    vendor.answer(() => ok);
    await http.json(
      { method: "POST", path: "/v1/query", query: { a: "x y", b: ["1", "2"], c: undefined }, json: { q: 1 }, schema },
      signal,
    );
    const [request] = vendor.requests;
    expect(request).toMatchObject({ method: "POST", body: '{"q":1}' });
    expect(request?.headers).toMatchObject({ authorization: "Bearer very-secret", "content-type": "application/json" });
    expect(request?.url.search).toBe("?a=x+y&b=1&b=2");
  });

  it.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not-found"],
    [418, "unexpected-answer"],
  ])("that is answered with %i fails once as %s, without the credentials in the message", async (status, reason) => {
    vendor.answer(() => ({ status, body: "very-secret" }));
    const failure = await ask().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "VendorFailure", reason, message: expect.stringContaining("Acme") });
    expect(String(failure)).not.toContain("very-secret");
    expect(vendor.requests).toHaveLength(1);
  });

  it.each([500, 502, 503])("that is answered with %i is retried", async (status) => {
    vendor.answer(() => (vendor.requests.length < vendorLimits.triesMax ? { status } : ok));
    expect((await ask()).body).toEqual({ ok: true });
    expect(vendor.requests).toHaveLength(vendorLimits.triesMax);
  });

  it("returns text that a link can hold, also where the vendor cut a character in half", async () => {
    vendor.answer(() => ({ body: String.raw`{"name":"a\ud83d"}` }));
    const { body } = await http.json({ path: "/v1/things", schema: z.object({ name: z.string() }) }, signal);
    expect(encodeURIComponent(body.name)).toBe("a%EF%BF%BD");
  });

  it("fails when no attempt succeeds", async () => {
    vendor.answer(() => ({ status: 500 }));
    await expect(ask()).rejects.toMatchObject({ reason: "unavailable", message: "Acme failed (500)" });
    expect(vendor.requests).toHaveLength(vendorLimits.triesMax);
  });

  it("waits as long as a rate-limiting vendor asks, if that isn't long", async () => {
    vendor.answer(() => (vendor.requests.length === 1 ? { status: 429, headers: { "retry-after": "0" } } : ok));
    expect((await ask()).body).toEqual({ ok: true });
    vendor.answer(() => ({ status: 429, headers: { "retry-after": "60" } }));
    await expect(ask()).rejects.toMatchObject({ reason: "rate-limited", retryAfterMs: 60_000 });
    expect(vendor.requests).toHaveLength(3);
  });

  it("reads the wait from the vendor's own headers", async () => {
    const own = openVendorHttp({
      ...{ ...vendor.context, vendor: "Acme", baseUrl: new URL(vendor.url), headers: {} },
      retryAfterMs: (headers, now) => Number(headers["x-reset"]) * 1_000 - now,
    });
    vendor.answer(() => ({ status: 429, headers: { "x-reset": String(vendor.context.clock() / 1_000 + 30) } }));
    await expect(ask(own)).rejects.toMatchObject({ retryAfterMs: 30_000 });
    await own.close();
  });

  it.each([
    ["no JSON", "<html>"],
    ["another shape", { ok: "yes" }],
    ["nothing", ""],
  ])("that is answered with %s fails", async (_, body) => {
    vendor.answer(() => ({ body }));
    await expect(ask()).rejects.toMatchObject({ reason: "unexpected-answer" });
  });

  it.each([
    [0, "answered"],
    [1, "refused"],
  ])("accepts a response of %i bytes beyond the limit as %s", async (beyond, outcome) => {
    const frame = JSON.stringify({ ok: true, rest: "" }).length;
    const rest = "x".repeat(vendorLimits.answerBytesMax - frame + beyond);
    vendor.answer(() => ({ body: { ok: true, rest } }));
    const answer = await ask().then(
      () => "answered",
      ({ reason }) => (reason === "unexpected-answer" ? "refused" : reason),
    );
    expect(answer).toBe(outcome);
  });

  it("may have a larger response if it allows one", async () => {
    const rest = "x".repeat(vendorLimits.answerBytesMax);
    vendor.answer(() => ({ body: { ok: true, rest } }));
    const asked = { path: "/v1/things", bytesMax: vendorLimits.listBytesMax, schema };
    expect((await http.json(asked, signal)).body).toEqual({ ok: true });
  });

  it.each([
    ["levels", "["],
    ["values", "[],"],
  ])("is rejected when its response has too many %s, before it is parsed", async (_, part) => {
    const body = `[${part.repeat(vendorLimits.answerBytesMax / 4)}`;
    vendor.answer(() => ({ body }));
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => ask()));
    // None of them is valid JSON: a parser would have read each to its end, and said that.
    const message = "Acme answered with JSON of more levels or values than any documented answer";
    for (const answer of answers) expect(answer).toMatchObject({ reason: { reason: "unexpected-answer", message } });
  });

  it("follows a redirect within its origin", async () => {
    vendor.answer(({ url }) => (url.pathname === "/moved" ? ok : { status: 302, headers: { location: "/moved" } }));
    expect((await ask()).body).toEqual({ ok: true });
  });

  it.each([
    ["another host", (url: string) => url.replace("127.0.0.1", "127.0.0.2")],
    ["another port of the same host", (url: string) => url],
    ["another scheme", (url: string) => url.replace("http:", "https:")],
  ])("gives the credentials to no other origin: %s", async (_, locate) => {
    const other = await startVendorServer();
    onTestFinished(() => other.close());
    other.answer(() => ok);
    const location = locate(other.url);
    vendor.answer(() => ({ status: 307, headers: { location } }));
    await expect(ask()).rejects.toMatchObject({
      ...{ reason: "unexpected-answer", message: expect.stringContaining(`a redirect to ${location}`) },
    });
    expect(other.requests).toEqual([]);
  });

  it.each([
    [307, "POST /moved {}"],
    [308, "POST /moved {}"],
    [301, "refused"],
    [302, "refused"],
  ])("that changes something follows a redirect that keeps its method: %i is %s", async (status, outcome) => {
    vendor.answer(({ url }) => (url.pathname === "/moved" ? ok : { status, headers: { location: "/moved" } }));
    const asked = http.json({ method: "POST", path: "/v1/things", json: {}, schema }, signal).then(
      () => vendor.requests.map(({ method, url, body }) => `${method} ${url.pathname} ${body}`).at(-1),
      ({ reason }) => (reason === "unexpected-answer" ? "refused" : reason),
    );
    expect(await asked).toBe(outcome);
  });

  it("that would have its effect twice isn't repeated, unless it was rate-limited", async () => {
    const post = () =>
      http.json({ method: "POST", path: "/v1/things", json: {}, isUnrepeatable: true, schema }, signal);
    vendor.answer(() => ({ status: 502 }));
    await expect(post()).rejects.toMatchObject({ reason: "unavailable" });
    expect(vendor.requests).toHaveLength(1);
    vendor.answer(() => (vendor.requests.length === 2 ? { status: 429, headers: { "retry-after": "0" } } : ok));
    expect((await post()).body).toEqual({ ok: true });
    expect(vendor.requests).toHaveLength(3);
  });

  it.each(["PUT", "PATCH", "DELETE"] as const)("may be a %s, which is sent again", async (method) => {
    vendor.answer(() => (vendor.requests.length === 1 ? { status: 503 } : { status: 204, body: "" }));
    expect((await http.text({ method, path: "/v1/things/1" }, signal)).body).toBe("");
    expect(vendor.requests.map((request) => request.method)).toEqual([method, method]);
  });

  it("describes a refusal in the words given for its vendor", async () => {
    const refusals = { forbidden: { what: "shows no things", advice: "ask for them" } };
    const own = openVendorHttp({
      ...{ ...vendor.context, vendor: "Acme", baseUrl: new URL(vendor.url), headers: {}, refusals },
    });
    vendor.answer(() => ({ status: 403 }));
    await expect(ask(own)).rejects.toMatchObject({ message: "Acme shows no things (403): ask for them" });
    vendor.answer(() => ({ status: 410 }));
    await expect(ask(own)).rejects.toMatchObject({ reason: "not-found", message: expect.stringContaining("(410)") });
    await own.close();
  });

  it("ends a cycle of redirects", async () => {
    vendor.answer(() => ({ status: 302, headers: { location: "/v1/things" } }));
    await expect(ask()).rejects.toMatchObject({ reason: "unexpected-answer" });
    expect(vendor.requests).toHaveLength(vendorLimits.redirectsMax + 1);
  });

  it("ends with the caller's signal, whatever the vendor does", async () => {
    vendor.answer(() => undefined);
    const leaving = new AbortController();
    const asking = http.json({ path: "/", schema }, leaving.signal);
    await expect.poll(() => vendor.requests.length).toBe(1);
    leaving.abort();
    await expect(asking).rejects.toMatchObject({ name: "AbortError" });
  });

  it("fails when the port is closed", async () => {
    const closed = await startVendorServer();
    await closed.close();
    const unanswered = open(closed.url);
    await expect(ask(unanswered)).rejects.toMatchObject({
      reason: "unavailable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    await unanswered.close();
  });

  it("reads the requested lines of a response that doesn't end", async () => {
    vendor.answer((_, response) => {
      response.writeHead(200).write('{"a":1}\n\n{"a":2}\n{"a":3}\n{"a"');
      return undefined;
    });
    expect(await http.lines({ path: "/stream" }, 2, signal)).toEqual(['{"a":1}', '{"a":2}']);
  });
});

describe("an address that a vendor's URL resolves to", () => {
  it.each([
    "http://127.0.0.1",
    "http://localhost",
    "http://10.1.2.3",
    "http://172.16.0.1",
    "http://192.168.1.1",
    "http://169.254.169.254",
    "http://100.64.0.1",
    "http://0.0.0.0",
    "http://0",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0177.0.0.1",
    "http://[::1]",
    "http://[::]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[64:ff9b::7f00:1]",
    "http://[fe80::1]",
    "http://[fc00::1]",
    "http://[fd00:ec2::254]",
    "http://[2002:7f00:1::]",
  ])("isn't reached when it is private: %s", async (baseUrl) => {
    const port = new URL(vendor.url).port;
    const guarded = open(`${baseUrl}:${port}`, []);
    vendor.answer(() => ok);
    await expect(ask(guarded)).rejects.toMatchObject({ reason: "refused-address" });
    expect(vendor.requests).toEqual([]);
    await guarded.close();
  });

  it("is reached when the operator allows its network", async () => {
    vendor.answer(() => ok);
    expect((await ask()).body).toEqual({ ok: true });
  });
});
