import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  makeOrganization,
  signOut,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

const checkedEveryMs = 30_000;

let service: TestService;
let acme: TestOrganization;
let base: string;

beforeEach(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  base = await service.app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(() => service.close());

async function analyze(key: string): Promise<string> {
  const headers = { "x-api-key": key };
  const payload = { error_log: "E" };
  const opened = await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers, payload });
  return opened.json().incident_id;
}

/** A stream that is open, what came over it so far, and its end, which rejects when the connection broke. */
async function follow(id: string, headers: Record<string, string>) {
  const [response]: [IncomingMessage] = (await once(
    get(`${base}/api/incidents/${id}/events`, { headers }),
    "response",
  )) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  const stream = { text: "", isOpen: true, ended: once(response, "end") };
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    stream.text += chunk;
  });
  response.on("end", () => {
    stream.isOpen = false;
  });
  return stream;
}

/** Lets the stream look a few times. */
const someLooks = () => new Promise((resolve) => setTimeout(resolve, 500));

describe("the event stream of an incident", () => {
  it("doesn't keep the server from stopping while no investigation runs", async () => {
    const stream = await follow(await analyze(acme.key), { "x-api-key": acme.key });
    await service.app.close();
    await stream.ended;
  });

  it("continues in the organization that claims the agent in the meantime", async () => {
    const registered = await service.app.inject({
      ...{ method: "POST", url: "/api/agents/register", payload: { source: "a" } },
    });
    const { api_key, claim_token } = registered.json();
    const id = await analyze(api_key);
    const stream = await follow(id, { "x-api-key": api_key });
    await service.app.inject({
      ...{ method: "POST", url: "/api/agents/claim", payload: { claim_token }, headers: { cookie: acme.cookie } },
    });
    const { incidents } = service.control.scope(acme.id);
    const now = new Date(service.clock.now);
    const attempt = (await incidents.begin(id, now)) ?? 0;
    await incidents.addStep(id, attempt, { seq: 1, at: now.toISOString(), step: "parse", detail: "in its new home" });
    await expect.poll(() => stream.text).toContain("in its new home");
    await incidents.fail(id, attempt, { code: "X", message: "y" }, now);
    await stream.ended;
    expect(stream.text).toContain("event: incident\n");
    expect(stream.text).toContain(`"organization_id":"${acme.id}"`);
  });

  it("ends within 30 seconds of the revocation of the key that opened it, and not before", async () => {
    const stream = await follow(await analyze(acme.key), { "x-api-key": acme.key });
    const [key] = await service.control.keys.list(acme.id);
    await service.control.keys.revoke(acme.id, key?.id ?? "", new Date(service.clock.now));
    service.clock.now += checkedEveryMs - 1;
    await someLooks();
    expect(stream.isOpen).toBe(true);
    service.clock.now += 1;
    await stream.ended;
    expect(stream.text).not.toContain("event: incident");
  });

  it("ends with the session that opened it, and outlives its checks while that lasts", async () => {
    const stream = await follow(await analyze(acme.key), { cookie: acme.cookie });
    for (let check = 0; check < 3; check += 1) {
      service.clock.now += checkedEveryMs;
      await someLooks();
    }
    expect(stream.isOpen).toBe(true);
    await signOut(service.identity, acme.cookie);
    service.clock.now += checkedEveryMs;
    await stream.ended;
  });

  it("ends when the incident is removed", async () => {
    const id = await analyze(acme.key);
    const stream = await follow(id, { "x-api-key": acme.key });
    await service.control.identity.db.withTables<{ incident: { id: string } }>().deleteFrom("incident").execute();
    await stream.ended;
  });
});
