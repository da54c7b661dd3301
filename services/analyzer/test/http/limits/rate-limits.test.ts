import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addKey,
  makeOrganization,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let rival: TestOrganization;

beforeAll(async () => {
  service = await startTestService({
    registerPerHourPerAddress: 3,
    analyzePerMinutePerKey: 4,
    sourceListsPerMinutePerOrganization: 3,
    signInPerMinutePerAddress: 2,
    unclaimedAgentAnalysesPerDay: 2,
  });
  acme = await makeOrganization(service, "acme");
  rival = await makeOrganization(service, "rival");
});
afterAll(() => service.close());

const post = (url: string, payload: object, headers: Record<string, string> = {}, remoteAddress = "10.0.0.1") =>
  service.app.inject({ method: "POST", url, payload, headers, remoteAddress });

function expectLimited(answer: { statusCode: number; headers: object; json(): unknown }): void {
  expect(answer.statusCode).toBe(429);
  expect(Number(new Map(Object.entries(answer.headers)).get("retry-after"))).toBeGreaterThan(0);
  expect(answer.json()).toEqual({ detail: expect.any(String), code: expect.stringMatching(/^WHENCE_ERR_/) });
}

describe("rate limits", () => {
  it("limit the agents registered from one address, and not from another", async () => {
    for (let count = 0; count < 3; count++) {
      expect((await post("/api/agents/register", { source: "a" })).statusCode).toBe(200);
    }
    expectLimited(await post("/api/agents/register", { source: "a" }));
    expect((await post("/api/agents/register", { source: "a" }, {}, "10.0.0.2")).statusCode).toBe(200);
  });

  it("count the addresses of one IPv6 network as one, because its host has all of them", async () => {
    const register = (address: string) => post("/api/agents/register", { source: "a" }, {}, address);
    for (let host = 1; host <= 3; host++) expect((await register(`2001:db8:0:1::${host}`)).statusCode).toBe(200);
    expectLimited(await register("2001:db8:0:1:ffff::4"));
    expect((await register("2001:db8:0:2::1")).statusCode).toBe(200);
  });

  it("limit the analyses of one key, and not of another", async () => {
    const analyze = (key: string) => post("/api/mcp/analyze", { error_log: "E" }, { "x-api-key": key });
    for (let count = 0; count < 4; count++) expect((await analyze(acme.key)).statusCode).toBe(200);
    expectLimited(await analyze(acme.key));
    expect((await analyze(rival.key)).statusCode).toBe(200);
  });

  it("limit the source lists of one organization across its keys, and not of another", async () => {
    const list = { service: "orders", release: "1", files: [{ path: "a.js", sha256: "0".repeat(64) }] };
    const put = async (key: string) =>
      service.app.inject({ method: "PUT", url: "/api/sources", payload: list, headers: { "x-api-key": key } });
    const keys = [await addKey(service, acme.id, "release"), await addKey(service, acme.id, "release"), acme.key];
    for (const key of keys) expect((await put(key)).statusCode).toBe(200);
    for (const key of keys) expectLimited(await put(key));
    expect((await put(rival.key)).statusCode).toBe(200);
  });

  it("limit an unclaimed agent to its daily analyses when many come at once", async () => {
    const agent = (await post("/api/agents/register", { source: "a" }, {}, "10.0.0.6")).json();
    const analyze = () => post("/api/mcp/analyze", { error_log: "E" }, { "x-api-key": agent.api_key });
    const answers = await Promise.all([analyze(), analyze(), analyze(), analyze()]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 429, 429]);
  });

  it("return an unclaimed agent's daily analyses a day after each was used", async () => {
    const agent = (await post("/api/agents/register", { source: "a" }, {}, "10.0.0.3")).json();
    const analyze = () => post("/api/mcp/analyze", { error_log: "E" }, { "x-api-key": agent.api_key });
    expect((await analyze()).statusCode).toBe(200);
    service.clock.now += 10_000_500;
    expect((await analyze()).statusCode).toBe(200);
    const refused = await analyze();
    expectLimited(refused);
    expect(refused.headers["retry-after"]).toBe(String(76_400));
    expect(refused.json().detail).toContain("76400 seconds");
    service.clock.now += 76_399_500;
    expect((await analyze()).statusCode).toBe(200);
  });

  it("slow down guesses of passwords and of the setup link", async () => {
    const guess = (url: string, address: string) =>
      post(url, { email: "owner@acme.example", password: "wrong password" }, {}, address);
    for (const [url, address, refused] of [
      ["/api/auth/sign-in/email", "10.0.0.4", 401],
      ["/api/setup", "10.0.0.5", 422],
    ] as const) {
      expect((await guess(url, address)).statusCode).toBe(refused);
      expect((await guess(url, address)).statusCode).toBe(refused);
      expect((await guess(url, address)).statusCode).toBe(429);
    }
  });
});
