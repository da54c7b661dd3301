import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
});
afterAll(() => service.close());

const audit = (cookie: string, query = "") => service.app.inject({ url: `/api/audit${query}`, headers: { cookie } });
const actions = async (): Promise<string[][]> =>
  (await audit(acme.cookie)).json().entries.map(({ action, target }: Record<string, string>) => [action, target]);
const send = (method: "POST" | "PUT" | "DELETE", url: string, payload?: object) =>
  service.app.inject({ method, url, headers: { cookie: acme.cookie }, ...(payload && { payload }) });

async function register(): Promise<{ agent_id: string; api_key: string; claim_token: string }> {
  return (
    await service.app.inject({ method: "POST", url: "/api/agents/register", payload: { source: "an agent" } })
  ).json();
}

describe("the audit log", () => {
  it("records what an owner changed, who they were, and never a secret", async () => {
    acme = await makeOrganization(service, "changes");
    const key = (await send("POST", "/api/keys", { name: "ci", scope: "send" })).json();
    await send("DELETE", `/api/keys/${key.key_id}`);
    await send("PUT", "/api/organization", {
      settings: {
        retention_days: 7,
        events_per_day: null,
        input_bytes_max: null,
        plain_users: false,
        passwords_off: false,
      },
    });
    await send("PUT", "/api/thresholds", { min_events: 3, muted_services: ["noisy"] });
    await send("PUT", "/api/instructions", { text: "Look at the cache first.", version: 0 });
    await send("PUT", "/api/integrations/uptime", { api_token: "the-token" });
    await send("DELETE", "/api/integrations/uptime");
    expect(await actions()).toEqual([
      ["integration.disconnected", "Vendor of uptime"],
      ["integration.connected", "Vendor of uptime"],
      ["instructions.changed", "version 1"],
      ["thresholds.changed", "3 events within 5 minutes, 1 muted"],
      [
        "settings.changed",
        "retention 7 days, any number of events a day, the default of inputs, users hashed, passwords on",
      ],
      ["key.revoked", key.key_id],
      ["key.created", `ci (send, ${key.api_key.slice(0, 8)}…)`],
    ]);
    const { body } = await audit(acme.cookie);
    expect(body).not.toContain("the-token");
    expect(body).not.toContain(key.api_key);
    expect(JSON.parse(body).entries[0].actor).toEqual({ id: expect.any(String), name: expect.any(String) });
  });

  it("records what happened to agents: claimed, once, and revoked", async () => {
    acme = await makeOrganization(service, "agents");
    const agent = await register();
    await send("POST", "/api/agents/claim", { claim_token: agent.claim_token });
    service.clock.now += 1_000;
    await send("POST", "/api/agents/claim", { claim_token: agent.claim_token });
    const listed = await service.app.inject({ url: "/api/agents", headers: { cookie: acme.cookie } });
    expect(listed.json().agents).toMatchObject([{ agent_id: agent.agent_id, source: "an agent", revoked_at: null }]);
    expect((await send("DELETE", `/api/agents/${agent.agent_id}`)).statusCode).toBe(200);
    expect((await send("DELETE", `/api/agents/${agent.agent_id}`)).json().code).toBe("WHENCE_ERR_AGENT_NOT_FOUND");
    const status = await service.app.inject({ url: "/api/agents/status", headers: { "x-api-key": agent.api_key } });
    expect(status.json().code).toBe("WHENCE_ERR_KEY_REVOKED");
    expect(await actions()).toEqual([
      ["agent.revoked", agent.agent_id],
      ["agent.claimed", agent.agent_id],
    ]);
  });

  it("records who was invited, joined, got another role, and was removed", async () => {
    acme = await makeOrganization(service, "members");
    const organizationId = acme.id;
    const invited = await send("POST", "/api/auth/organization/invite-member", {
      ...{ email: "new@acme.example", role: "member", organizationId },
    });
    expect(invited.statusCode).toBe(200);
    await send("POST", "/api/auth/organization/cancel-invitation", { invitationId: invited.json().id });
    await signInMember(service, acme.id, "second@acme.example", "member");
    const members = await service.app.inject({
      url: `/api/auth/organization/list-members?organizationId=${organizationId}`,
      headers: { cookie: acme.cookie },
    });
    const second = members
      .json()
      .members.find(({ user }: { user: { email: string } }) => user.email.startsWith("second"));
    const member = { memberId: second.id, organizationId };
    expect(
      (await send("POST", "/api/auth/organization/update-member-role", { ...member, role: "owner" })).statusCode,
    ).toBe(200);
    const removal = { memberIdOrEmail: second.id, organizationId };
    expect((await send("POST", "/api/auth/organization/remove-member", removal)).statusCode).toBe(200);
    expect((await actions()).map(([action]) => action)).toEqual([
      "member.removed",
      "member.role-changed",
      "member.invitation-cancelled",
      "member.invited",
    ]);
    expect((await actions()).at(-1)?.[1]).toBe("new@acme.example (member)");
  });

  it("is for owners, of their own organization, page by page", async () => {
    acme = await makeOrganization(service, "pages");
    for (const name of ["a", "b", "c"]) await send("POST", "/api/keys", { name, scope: "send" });
    const first = (await audit(acme.cookie, "?limit=2")).json();
    expect(first.entries).toHaveLength(2);
    const rest = (await audit(acme.cookie, `?limit=2&before=${first.next}`)).json();
    expect(rest).toMatchObject({ entries: [{ target: expect.stringMatching(/^a /) }], next: null });
    const other = await makeOrganization(service, "pages-of-others");
    expect((await audit(other.cookie)).json().entries).toEqual([]);
    const member = await signInMember(service, acme.id, "third@acme.example", "member");
    expect((await audit(member)).statusCode).toBe(403);
    expect((await audit("")).statusCode).toBe(401);
    for (const limit of [0, 101]) expect((await audit(acme.cookie, `?limit=${limit}`)).statusCode).toBe(422);
  });
});
