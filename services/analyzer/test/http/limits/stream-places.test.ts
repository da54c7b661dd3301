import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { limits } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashSecret, mintSecret, visiblePrefix } from "../../../src/credentials.ts";
import { makeOrganization, startTestService, type TestService } from "../../test-service.ts";

let service: TestService;
let base: string;
const followed: IncomingMessage[] = [];

beforeEach(async () => {
  service = await startTestService();
  base = await service.app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  for (const response of followed.splice(0)) response.destroy();
  await service.close();
});

async function analyze(key: string): Promise<string> {
  const headers = { "x-api-key": key };
  const payload = { error_log: "E" };
  const opened = await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers, payload });
  return opened.json().incident_id;
}

async function follow(id: string, key: string): Promise<IncomingMessage> {
  const request = get(`${base}/api/incidents/${id}/events`, { headers: { "x-api-key": key } });
  const [response] = await once(request, "response");
  followed.push(response);
  return response;
}

async function followMany(count: number, id: string, key: string): Promise<IncomingMessage[]> {
  return Promise.all(Array.from({ length: count }, () => follow(id, key)));
}

async function addKey(organizationId: string): Promise<string> {
  const key = mintSecret("whk");
  const names = { name: "another", scope: "full" as const, hash: hashSecret(key), prefix: visiblePrefix(key) };
  await service.control.keys.add({ organizationId, ...names, now: new Date(service.clock.now) });
  return key;
}

async function registerAgent(): Promise<string> {
  const payload = { source: "a" };
  return (await service.app.inject({ method: "POST", url: "/api/agents/register", payload })).json().api_key;
}

describe("event streams", () => {
  it("of one key are limited independently of another key of the organization, and closing one makes room", async () => {
    const { id: organizationId, key } = await makeOrganization(service, "acme");
    const other = await addKey(organizationId);
    const id = await analyze(key);
    const open = await followMany(limits.streamsPerKeyMax, id, key);
    expect(open.map(({ statusCode }) => statusCode)).toEqual(open.map(() => 200));
    const refused = await follow(id, key);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "5"]);
    expect(await text(refused)).toContain("WHENCE_ERR_STREAMS_OPEN");
    expect((await follow(id, other)).statusCode).toBe(200);
    open[0]?.destroy();
    await expect.poll(async () => (await follow(id, key)).statusCode).toBe(200);
  });

  it("of an organization are limited over all its keys, independently of another organization", async () => {
    const { id: organizationId, key: first } = await makeOrganization(service, "acme");
    const id = await analyze(first);
    const keys = limits.streamsPerOrganizationMax / limits.streamsPerKeyMax;
    for (let count = 0; count < keys; count++) {
      const key = await addKey(organizationId);
      const open = await followMany(limits.streamsPerKeyMax, id, key);
      expect(new Set(open.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    }
    expect((await follow(id, first)).statusCode).toBe(429);
    const rival = await makeOrganization(service, "rival");
    expect((await follow(await analyze(rival.key), rival.key)).statusCode).toBe(200);
  });

  it("of an unclaimed agent are fewer", async () => {
    const key = await registerAgent();
    const id = await analyze(key);
    await followMany(limits.streamsPerUnclaimedAgentMax, id, key);
    expect((await follow(id, key)).statusCode).toBe(429);
    const other = await registerAgent();
    expect((await follow(await analyze(other), other)).statusCode).toBe(200);
  });
});
