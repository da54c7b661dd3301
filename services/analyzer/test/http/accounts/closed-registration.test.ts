import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOrganization, startTestService, type TestService } from "../../test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({}, false, {}, false, false);
});
afterAll(() => service.close());

describe("a service on which agents may not register", () => {
  it("rejects them, and says whom to ask", async () => {
    const request = { method: "POST", url: "/api/agents/register", payload: { source: "a" } } as const;
    const answer = await service.app.inject(request);
    expect([answer.statusCode, answer.json().code]).toEqual([403, "WHENCE_ERR_AGENT_REGISTRATION_OFF"]);
    expect(answer.json().detail).toContain("ask an owner for an API key");
  });

  it("tells its members, who have keys to give", async () => {
    const { cookie } = await makeOrganization(service, "members");
    const answer = await service.app.inject({ url: "/api/agents", headers: { cookie } });
    expect(answer.json()).toEqual({ agents: [], registration: "off" });
  });

  it("still accepts analyses with an organization's key", async () => {
    const { key } = await makeOrganization(service, "acme");
    const request = { method: "POST", url: "/api/mcp/analyze", payload: { error_log: "E" } } as const;
    expect((await service.app.inject({ ...request, headers: { "x-api-key": key } })).statusCode).toBe(200);
  });
});
