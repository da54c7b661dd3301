import { keyScopes } from "@whence/protocol";
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
let memberCookie: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  memberCookie = await signInMember(service, acme.id, "second@acme.example", "member");
});
afterAll(() => service.close());

const create = (cookie: string, payload: object = { name: "ci", scope: "full" }) =>
  service.app.inject({ method: "POST", url: "/api/keys", headers: { cookie }, payload });

describe("an organization's API keys", () => {
  it("are shown once, when an owner creates one, and work at once", async () => {
    const made = await create(acme.cookie);
    expect(made.statusCode).toBe(200);
    const { api_key: key, key_id: id } = made.json();
    const used = await service.app.inject({ url: "/api/incidents", headers: { "x-api-key": key } });
    expect(used.statusCode).toBe(200);
    const listed = await service.app.inject({ url: "/api/keys", headers: { cookie: memberCookie } });
    expect(listed.body).not.toContain(key);
    expect(listed.json().keys).toContainEqual({
      key_id: id,
      name: "ci",
      prefix: key.slice(0, 8),
      scopes: ["full"],
      created_at: expect.any(String),
      revoked_at: null,
      last_used_at: new Date(service.clock.now).toISOString(),
      agent_id: null,
    });
  });

  it("stop working once an owner has revoked them", async () => {
    const { api_key: key, key_id: id } = (await create(acme.cookie)).json();
    const revoke = (cookie: string) =>
      service.app.inject({ method: "DELETE", url: `/api/keys/${id}`, headers: { cookie } });
    expect((await revoke(memberCookie)).statusCode).toBe(403);
    expect((await revoke(acme.cookie)).statusCode).toBe(200);
    expect((await revoke(acme.cookie)).statusCode).toBe(404);
    const used = await service.app.inject({ url: "/api/incidents", headers: { "x-api-key": key } });
    expect(used.json().code).toBe("WHENCE_ERR_KEY_REVOKED");
  });

  it("are created by owners only, with a name of 1 to 100 characters", async () => {
    expect((await create(memberCookie)).statusCode).toBe(403);
    expect((await create("")).statusCode).toBe(401);
    const named = async (name: string) => (await create(acme.cookie, { name, scope: "send" })).statusCode;
    expect(await named("x".repeat(100))).toBe(200);
    expect(await named("x".repeat(101))).toBe(422);
    expect(await named("")).toBe(422);
  });

  it("have one of four scopes, chosen when a key is created", async () => {
    for (const scope of keyScopes) {
      const made = await create(acme.cookie, { name: scope, scope });
      expect(made.json()).toMatchObject({ name: scope, scope });
      const listed = await service.app.inject({ url: "/api/keys", headers: { cookie: memberCookie } });
      expect(listed.json().keys).toContainEqual(expect.objectContaining({ name: scope, scopes: [scope] }));
    }
    expect((await create(acme.cookie, { name: "ci" })).statusCode).toBe(422);
    expect((await create(acme.cookie, { name: "ci", scope: "everything" })).statusCode).toBe(422);
  });
});
