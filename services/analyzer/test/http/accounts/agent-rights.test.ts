import { dayMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const registered = z.object({ agent_id: z.string(), api_key: z.string(), claim_token: z.string() });

async function register(remoteAddress = "203.0.113.9") {
  const payload = { source: "coding-agent" };
  const answer = await service.app.inject({ method: "POST", url: "/api/agents/register", payload, remoteAddress });
  return registered.parse(answer.json());
}

const post = (url: string, cookie: string, payload: object = {}) =>
  service.app.inject({ method: "POST", url, headers: { cookie }, payload });
const withKey = (key: string, url = "/api/services") => service.app.inject({ url, headers: { "x-api-key": key } });
const listed = async () =>
  (await service.app.inject({ url: "/api/agents", headers: { cookie: acme.cookie } })).json().agents[0];

/** A colleague who may not make keys, and an agent that they claimed. */
async function claimedByMember(email: string) {
  const cookie = await signInMember(service, acme.id, email, "member");
  const agent = await register();
  expect((await post("/api/agents/claim", cookie, { claim_token: agent.claim_token })).statusCode).toBe(200);
  return { ...agent, cookie };
}

async function remove(email: string): Promise<void> {
  const removal = { memberIdOrEmail: email, organizationId: acme.id };
  expect((await post("/api/auth/organization/remove-member", acme.cookie, removal)).statusCode).toBe(200);
}

describe("the key of a claimed agent", () => {
  it("analyzes and reads, and neither sends telemetry nor changes what owners decide", async () => {
    const { api_key: key } = await claimedByMember("reader@acme.example");
    expect((await withKey(key)).statusCode).toBe(200);
    const listedKeys = await service.app.inject({ url: "/api/keys", headers: { cookie: acme.cookie } });
    expect(listedKeys.json().keys).toContainEqual(expect.objectContaining({ scopes: ["analyze", "read"] }));
  });

  it("is refused once the member who claimed it is removed, until an owner confirms the agent", async () => {
    const email = "removed@acme.example";
    const { api_key: key, agent_id: id, claim_token: token } = await claimedByMember(email);
    expect(await listed()).toMatchObject({ responsible: { name: email }, needs_confirmation: false });
    await remove(email);
    for (const url of ["/api/services", "/api/incidents", "/api/agents/status"]) {
      const refused = await withKey(key, url);
      expect([refused.statusCode, refused.json().code]).toEqual([403, "WHENCE_ERR_AGENT_UNCONFIRMED"]);
      expect(refused.json().detail).toContain("an owner can confirm the agent under Settings → Agents");
    }
    expect(await listed()).toMatchObject({ agent_id: id, needs_confirmation: true });
    const colleague = await signInMember(service, acme.id, "stays@acme.example", "member");
    expect((await post("/api/agents/claim", colleague, { claim_token: token })).statusCode).toBe(200);
    expect((await post(`/api/agents/${id}/confirm`, colleague)).statusCode).toBe(403);
    expect((await withKey(key)).statusCode).toBe(403);
    expect((await post(`/api/agents/${id}/confirm`, acme.cookie)).json()).toEqual({ agent_id: id });
    expect((await withKey(key)).statusCode).toBe(200);
    expect(await listed()).toMatchObject({
      responsible: { name: "owner@acme.example" },
      confirmed_at: new Date(service.clock.now).toISOString(),
      needs_confirmation: false,
    });
    const audit = await service.app.inject({ url: "/api/audit?limit=1", headers: { cookie: acme.cookie } });
    expect(audit.json().entries).toMatchObject([{ action: "agent.confirmed", target: id }]);
  });

  it("is refused once the member who claimed it leaves", async () => {
    const { api_key: key, cookie } = await claimedByMember("leaves@acme.example");
    const left = await post("/api/auth/organization/leave", cookie, { organizationId: acme.id });
    expect(left.statusCode).toBe(200);
    expect((await withKey(key)).json().code).toBe("WHENCE_ERR_AGENT_UNCONFIRMED");
    const audit = await service.app.inject({ url: "/api/audit?limit=1", headers: { cookie: acme.cookie } });
    expect(audit.json().entries).toMatchObject([{ action: "member.left", target: expect.stringContaining("leaves@") }]);
  });

  it("stays revoked: an owner who confirms the agent gets a 404", async () => {
    const { api_key: key, agent_id: id } = await claimedByMember("revoker@acme.example");
    await service.app.inject({ method: "DELETE", url: `/api/agents/${id}`, headers: { cookie: acme.cookie } });
    expect((await post(`/api/agents/${id}/confirm`, acme.cookie)).json().code).toBe("WHENCE_ERR_AGENT_NOT_FOUND");
    expect((await withKey(key)).json().code).toBe("WHENCE_ERR_KEY_REVOKED");
  });
});

describe("an agent that asks to be claimed", () => {
  const preview = (cookie: string, token: string) => post("/api/agents/claim/preview", cookie, { claim_token: token });

  it("is shown with its source, since when, and from which address, and isn't claimed by that", async () => {
    const agent = await register("198.51.100.7");
    const shown = await preview(acme.cookie, agent.claim_token);
    expect(shown.json()).toEqual({
      agent_id: agent.agent_id,
      source: "coding-agent",
      created_at: new Date(service.clock.now).toISOString(),
      registered_from: "198.51.100.7",
      expires_at: expect.any(String),
    });
    expect((await withKey(agent.api_key, "/api/agents/status")).json().status).toBe("unclaimed");
  });

  it("is shown to members alone, and neither to another organization nor after it expired", async () => {
    const agent = await register();
    expect((await preview("", agent.claim_token)).statusCode).toBe(401);
    expect((await preview(acme.cookie, "whc_unknown")).json().code).toBe("WHENCE_ERR_CLAIM_UNKNOWN");
    await post("/api/agents/claim", acme.cookie, { claim_token: agent.claim_token });
    expect((await preview(acme.cookie, agent.claim_token)).statusCode).toBe(200);
    const rival = await makeOrganization(service, "rival");
    expect((await preview(rival.cookie, agent.claim_token)).json().code).toBe("WHENCE_ERR_CLAIM_TAKEN");
    const late = await register();
    service.clock.now += 3 * dayMs;
    expect((await preview(acme.cookie, late.claim_token)).json().code).toBe("WHENCE_ERR_CLAIM_EXPIRED");
  });
});
