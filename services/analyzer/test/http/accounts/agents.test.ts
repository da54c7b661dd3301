import { once } from "node:events";
import { request } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { limits } from "@whence/protocol";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  appUrl,
  makeOrganization,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let rival: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  rival = await makeOrganization(service, "rival");
});
afterAll(() => service.close());

const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
  service.app.inject({ method: "POST", url, payload: payload as object, headers });
const status = (key: string) =>
  service.app.inject({ method: "GET", url: "/api/agents/status", headers: { "x-api-key": key } });
const claim = (token: string, { cookie }: TestOrganization = acme) =>
  post("/api/agents/claim", { claim_token: token }, { cookie });

async function register(source = "coding-agent") {
  const answer = await post("/api/agents/register", { source });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

describe("registering", () => {
  // requirement: register.no-key
  // requirement: register.200
  // requirement: agent.credentials
  // requirement: agent.claim-url
  // requirement: auth.register-claim-without-key
  it("needs no key and returns a key, a claim token, and the claim URL", async () => {
    const agent = await register();
    expect(agent).toEqual({
      agent_id: expect.stringMatching(/^agt_/),
      api_key: expect.stringMatching(/^wha_[0-9A-Za-z]{49}$/),
      claim_token: expect.stringMatching(/^whc_[0-9A-Za-z]{49}$/),
      claim_url: `${appUrl}/login?claim=${agent.claim_token}`,
      expires_at: new Date(service.clock.now + limits.unclaimedAgentLifetimeMs).toISOString(),
    });
  });

  // requirement: agent.registered-unclaimed
  // requirement: agent.state-register
  // requirement: agent.status-time-left
  // requirement: status.key
  // requirement: status.200
  it("creates an unclaimed agent with three days left", async () => {
    const agent = await register("ide");
    const answer = await status(agent.api_key);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      agent_id: agent.agent_id,
      source: "ide",
      status: "unclaimed",
      organization_id: null,
      created_at: new Date(service.clock.now).toISOString(),
      expires_at: agent.expires_at,
      expires_in_seconds: 259_200,
    });
  });

  // requirement: limits.source-1-to-50
  // requirement: errors.422-source-length
  // requirement: register.source-open
  it("accepts a source of 1 to 50 characters, whatever they are", async () => {
    for (const source of ["x", "é".repeat(50), "any name!"]) {
      expect((await post("/api/agents/register", { source })).statusCode).toBe(200);
    }
    const tooLong = await post("/api/agents/register", { source: "x".repeat(51) });
    expect(tooLong.statusCode).toBe(422);
    expect(tooLong.json().detail).toMatchObject([
      { loc: ["body", "source"], type: "string_too_long", ctx: { max_length: 50 } },
    ]);
    const empty = await post("/api/agents/register", { source: "" });
    expect(empty.json().detail).toMatchObject([{ type: "string_too_short", ctx: { min_length: 1 } }]);
  });

  // requirement: register.source-required
  // requirement: register.source-string
  it("rejects a missing source and one that isn't a string", async () => {
    expect((await post("/api/agents/register", {})).json().detail).toMatchObject([{ type: "missing" }]);
    expect((await post("/api/agents/register", { source: 5 })).json().detail).toMatchObject([{ type: "string_type" }]);
  });
});

describe("claiming", () => {
  // requirement: claim.no-key
  // requirement: claim.200
  // requirement: agent.state-claim
  // requirement: agent.claimed-has-organization
  it("gives the agent to the active organization of the signed-in person", async () => {
    const agent = await register();
    const answer = await claim(agent.claim_token);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      agent_id: agent.agent_id,
      organization_id: acme.id,
      claimed_at: new Date(service.clock.now).toISOString(),
    });
    expect((await status(agent.api_key)).json()).toMatchObject({
      status: "claimed",
      organization_id: acme.id,
      expires_at: null,
      expires_in_seconds: null,
    });
  });

  it("again by the same organization changes nothing", async () => {
    const agent = await register();
    const first = (await claim(agent.claim_token)).json();
    service.clock.now += 5_000;
    const again = await claim(agent.claim_token);
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual(first);
  });

  it("is refused with 409 when another organization has the agent", async () => {
    const agent = await register();
    await claim(agent.claim_token);
    const answer = await claim(agent.claim_token, rival);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe("WHENCE_ERR_CLAIM_TAKEN");
    expect((await status(agent.api_key)).json().organization_id).toBe(acme.id);
  });

  it("is refused with 401 without a session, 404 for an unknown token", async () => {
    const agent = await register();
    expect((await post("/api/agents/claim", { claim_token: agent.claim_token })).statusCode).toBe(401);
    const unknown = await claim("whc_unknown");
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json().code).toBe("WHENCE_ERR_CLAIM_UNKNOWN");
  });

  // requirement: claim.token-required
  // requirement: claim.token-string
  // requirement: endpoints.422-everywhere
  it("is refused with 422 without a token or with one that isn't a string", async () => {
    const missing = await post("/api/agents/claim", {}, { cookie: acme.cookie });
    expect(missing.statusCode).toBe(422);
    expect(missing.json().detail).toMatchObject([{ loc: ["body", "claim_token"], type: "missing" }]);
    const wrong = await post("/api/agents/claim", { claim_token: [] }, { cookie: acme.cookie });
    expect(wrong.json().detail).toMatchObject([{ loc: ["body", "claim_token"], type: "string_type" }]);
  });

  it("is refused with 403 when a page of another site sends it", async () => {
    const agent = await register();
    const headers = { cookie: acme.cookie, origin: "https://evil.example" };
    const answer = await post("/api/agents/claim", { claim_token: agent.claim_token }, headers);
    expect(answer.statusCode).toBe(403);
    expect((await status(agent.api_key)).json().status).toBe("unclaimed");
  });

  it("moves the agent's incidents to the organization and queues unfinished ones again", async () => {
    const agent = await register();
    const headers = { "x-api-key": agent.api_key };
    const { incident_id } = (await post("/api/mcp/analyze", { error_log: "Error: mine" }, headers)).json();
    const read = (key: string) =>
      service.app.inject({ method: "GET", url: `/api/incidents/${incident_id}`, headers: { "x-api-key": key } });
    expect((await read(acme.key)).statusCode).toBe(404);
    expect((await read(agent.api_key)).json().organization_id).toBeNull();
    await claim(agent.claim_token);
    expect((await read(acme.key)).json()).toMatchObject({
      id: incident_id,
      organization_id: acme.id,
      status: "queued",
    });
    expect((await read(agent.api_key)).statusCode).toBe(200);
    const bodies = (await service.control.outbox.pending(1_000)).map(({ body }) => JSON.parse(body));
    expect(bodies).toContainEqual({ incident_id, scope_id: acme.id });
  });
});

describe("an agent that is claimed while it sends an analysis", () => {
  it("and its organization both find the incident", async () => {
    const agent = await register();
    const app = Fastify();
    const readingBegan = new Promise<void>((resolve) => app.addHook("preParsing", async () => resolve()));
    await service.mount(app);
    const base = await app.listen({ port: 0, host: "127.0.0.1" });
    const headers = { "content-type": "application/json", "x-api-key": agent.api_key };
    const sent = request(`${base}/api/mcp/analyze`, { method: "POST", headers });
    sent.write('{"error_log": "Error: ');
    await readingBegan;
    expect((await claim(agent.claim_token)).statusCode).toBe(200);
    sent.end('half-way"}');
    const [answer] = await once(sent, "response");
    const { incident_id } = JSON.parse(await text(answer));
    expect(answer.statusCode).toBe(200);
    for (const key of [agent.api_key, acme.key]) {
      const url = `/api/incidents/${incident_id}`;
      const found = await service.app.inject({ url, headers: { "x-api-key": key } });
      expect(found.json()).toMatchObject({ id: incident_id, organization_id: acme.id, status: "queued" });
    }
    const bodies = (await service.control.outbox.pending(1_000)).map(({ body }) => JSON.parse(body));
    expect(bodies).toContainEqual({ incident_id, scope_id: acme.id });
    await app.close();
  });
});

describe("the body of an agent's analysis", () => {
  const bytesMax = limits.unclaimedAgentAnalysisBytesMax;
  /** So many bytes, with a file and room in it. */
  const bodyOf = (bytes: number) => {
    const text = "x".repeat(limits.errorLogBytesMax - 1_000);
    const filled = (content: string) =>
      JSON.stringify({
        error_log: text,
        files: [
          { name: "a", content: text },
          { name: "b", content },
        ],
      });
    const body = filled("x".repeat(bytes - filled("").length));
    expect(body.length).toBe(bytes);
    return body;
  };
  const analyze = (key: string, body: string | Readable) =>
    service.app.inject({
      ...{ method: "POST", url: "/api/mcp/analyze", payload: body },
      headers: { "content-type": "application/json", "x-api-key": key },
    });

  it("may have 2 MiB until it is claimed, and not a byte more in any encoding", async () => {
    const { api_key: key } = await register();
    expect((await analyze(key, bodyOf(bytesMax))).statusCode).toBe(200);
    for (const body of [bodyOf(bytesMax + 1), Readable.from([bodyOf(bytesMax + 1)])]) {
      const refused = await analyze(key, body);
      expect(refused.statusCode).toBe(413);
      expect(refused.json()).toEqual({
        code: "WHENCE_ERR_AGENT_BODY_TOO_LARGE",
        detail: expect.stringContaining("2097152 bytes that an unclaimed agent may send: claim it"),
      });
    }
  });

  it("may have more once it is claimed", async () => {
    const agent = await register();
    await claim(agent.claim_token);
    expect((await analyze(agent.api_key, bodyOf(bytesMax + 1))).statusCode).toBe(200);
  });

  it("is rejected over a connection, and ends with that connection", async () => {
    const { api_key: key } = await register();
    const app = Fastify();
    await service.mount(app);
    const base = await app.listen({ port: 0, host: "127.0.0.1" });
    const headers = { "content-type": "application/json", "x-api-key": key };
    const send = () => request(`${base}/api/mcp/analyze`, { method: "POST", headers });
    const sent = send();
    sent.end(bodyOf(bytesMax + 1));
    const [answer] = await once(sent, "response");
    expect([answer.statusCode, JSON.parse(await text(answer)).code]).toEqual([413, "WHENCE_ERR_AGENT_BODY_TOO_LARGE"]);
    const left = send();
    left.write("{");
    setImmediate(() => left.destroy());
    await expect(once(left, "response")).rejects.toThrow("socket hang up");
    await app.close();
  });
});

describe("expiry", () => {
  // requirement: agent.expires-after-3-days
  // requirement: limits.unclaimed-3-days
  // requirement: agent.state-expire
  // requirement: auth.unclaimed-key-stops
  it("is three days after registration, not a millisecond earlier", async () => {
    const agent = await register();
    const registeredAt = service.clock.now;
    service.clock.now = registeredAt + limits.unclaimedAgentLifetimeMs - 1;
    expect((await status(agent.api_key)).json()).toMatchObject({ status: "unclaimed", expires_in_seconds: 0 });
    service.clock.now += 1;
    const expired = await status(agent.api_key);
    expect(expired.statusCode).toBe(401);
    expect(expired.json()).toMatchObject({
      code: "WHENCE_ERR_KEY_EXPIRED",
      detail: expect.stringContaining("expired"),
    });
    const analysis = await post("/api/mcp/analyze", { error_log: "E" }, { "x-api-key": agent.api_key });
    expect(analysis.statusCode).toBe(401);
    expect((await claim(agent.claim_token)).statusCode).toBe(410);
  });

  // requirement: agent.claimed-never-expires
  it("doesn't apply to a claimed agent", async () => {
    const agent = await register();
    await claim(agent.claim_token);
    service.clock.now += 10 * limits.unclaimedAgentLifetimeMs;
    expect((await status(agent.api_key)).json()).toMatchObject({ status: "claimed", expires_at: null });
  });
});

describe("an owner of the organization that claimed an agent", () => {
  const keyOf = async (source: string): Promise<{ key_id: string; prefix: string }> => {
    const answer = await service.app.inject({ url: "/api/keys", headers: { cookie: acme.cookie } });
    const { keys }: { keys: { key_id: string; name: string; prefix: string }[] } = answer.json();
    const found = keys.find(({ name }) => name === source);
    if (!found) throw new Error(`no key of ${source}`);
    return found;
  };
  const revoke = (id: string, cookie: string) =>
    service.app.inject({ method: "DELETE", url: `/api/keys/${id}`, headers: { cookie } });

  it("sees the agent's key among the organization's, and revokes it: it opens nothing from then on", async () => {
    const agent = await register("to be revoked");
    await claim(agent.claim_token);
    const { key_id, prefix } = await keyOf("to be revoked");
    expect(prefix).toBe("wha_");
    expect((await revoke(key_id, rival.cookie)).statusCode).toBe(404);
    expect((await status(agent.api_key)).statusCode).toBe(200);
    expect((await revoke(key_id, acme.cookie)).statusCode).toBe(200);
    const refused = await status(agent.api_key);
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toMatchObject({
      code: "WHENCE_ERR_KEY_REVOKED",
      detail: expect.stringContaining("revoked"),
    });
    const analysis = await post("/api/mcp/analyze", { error_log: "E" }, { "x-api-key": agent.api_key });
    expect(analysis.json().code).toBe("WHENCE_ERR_KEY_REVOKED");
  });

  it("doesn't get the key back by claiming the agent again", async () => {
    const agent = await register("claimed twice");
    await claim(agent.claim_token);
    await revoke((await keyOf("claimed twice")).key_id, acme.cookie);
    expect((await claim(agent.claim_token)).statusCode).toBe(200);
    expect((await status(agent.api_key)).json().code).toBe("WHENCE_ERR_KEY_REVOKED");
  });
});

describe("an organization's key", () => {
  it("isn't an agent's: its status is 404", async () => {
    const answer = await status(acme.key);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toContain("not an agent's key");
  });

  it("is 422 when it isn't sent", async () => {
    const answer = await service.app.inject({ method: "GET", url: "/api/agents/status" });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject([{ loc: ["header", "X-API-Key"], type: "missing" }]);
  });
});

describe("an unclaimed agent", () => {
  // requirement: service.agent-triggers-analysis
  it("starts analyses with its own key", async () => {
    const agent = await register();
    const answer = await post("/api/mcp/analyze", { error_log: "E" }, { "x-api-key": agent.api_key });
    expect(answer.statusCode).toBe(200);
  });
});
