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
      project: null,
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

  it("have one scope, chosen when a key is created", async () => {
    for (const scope of keyScopes) {
      const project = scope === "sentry" ? { service: "orders" } : undefined;
      const made = await create(acme.cookie, { name: scope, scope, project });
      expect(made.json()).toMatchObject({ name: scope, scope });
      const listed = await service.app.inject({ url: "/api/keys", headers: { cookie: memberCookie } });
      expect(listed.json().keys).toContainEqual(expect.objectContaining({ name: scope, scopes: [scope] }));
    }
    expect((await create(acme.cookie, { name: "ci" })).statusCode).toBe(422);
    expect((await create(acme.cookie, { name: "ci", scope: "everything" })).statusCode).toBe(422);
  });

  it("are replaced by rotating: the new key is like the old one, which works until it is revoked", async () => {
    const { api_key: old, key_id: id } = (await create(acme.cookie)).json();
    const rotate = (cookie: string, of = id) =>
      service.app.inject({ method: "POST", url: `/api/keys/${of}/rotate`, headers: { cookie } });
    expect((await rotate(memberCookie)).statusCode).toBe(403);
    const rotated = (await rotate(acme.cookie)).json();
    expect(rotated).toMatchObject({ name: "ci", scope: "full", dsn: null });
    for (const key of [old, rotated.api_key]) {
      expect((await service.app.inject({ url: "/api/incidents", headers: { "x-api-key": key } })).statusCode).toBe(200);
    }
    await service.app.inject({ method: "DELETE", url: `/api/keys/${id}`, headers: { cookie: acme.cookie } });
    expect((await rotate(acme.cookie)).json().code).toBe("WHENCE_ERR_KEY_NOT_FOUND");
    const other = await makeOrganization(service, "rotator");
    expect((await rotate(other.cookie, rotated.key_id)).json().code).toBe("WHENCE_ERR_KEY_NOT_FOUND");
  });
});

describe("a DSN", () => {
  const dsnFor = (project: object) => create(acme.cookie, { name: "orders", scope: "sentry", project });

  it("is a key for one service, in the form that Sentry's clients take", async () => {
    const made = await dsnFor({ service: " orders ", origins: ["https://Shop.example/", "https://*.shop.example"] });
    const { dsn, api_key: key } = made.json();
    expect(made.statusCode).toBe(200);
    expect(dsn).toMatch(new RegExp(`^https?://${key}@[^/]+/[1-9][0-9]{9,11}$`));
    const listed = await service.app.inject({ url: "/api/keys", headers: { cookie: memberCookie } });
    const { project } = listed.json().keys.find(({ prefix }: { prefix: string }) => key.startsWith(prefix));
    expect(project).toEqual({
      ...{ id: new URL(dsn).pathname.slice(1), service: "orders", env: "PROD" },
      origins: ["https://shop.example", "https://*.shop.example"],
    });
  });

  it("of the same project comes out when its key is rotated", async () => {
    const { dsn, key_id: id } = (await dsnFor({ service: "orders", env: "STAGING" })).json();
    const rotated = await service.app.inject({
      ...{ method: "POST", url: `/api/keys/${id}/rotate`, headers: { cookie: acme.cookie } },
    });
    expect(new URL(rotated.json().dsn).pathname).toBe(new URL(dsn).pathname);
    expect(rotated.json().dsn).not.toBe(dsn);
  });

  it("has a service, and may have 20 origins", async () => {
    expect((await dsnFor({})).statusCode).toBe(422);
    const origins = Array.from({ length: 21 }, (_, index) => `https://${index}.shop.example`);
    expect((await dsnFor({ service: "orders", origins: origins.slice(1) })).statusCode).toBe(200);
    expect((await dsnFor({ service: "orders", origins })).statusCode).toBe(422);
    for (const origin of ["shop.example", "https://shop.example/path", "ftp://shop.example", "https://a.*.example"]) {
      expect([origin, (await dsnFor({ service: "orders", origins: [origin] })).statusCode]).toEqual([origin, 422]);
    }
  });

  it("has a project exactly if its scope is sentry", async () => {
    expect((await create(acme.cookie, { name: "orders", scope: "sentry" })).statusCode).toBe(422);
    const send = { name: "orders", scope: "send", project: { service: "orders" } };
    expect((await create(acme.cookie, send)).statusCode).toBe(422);
  });

  it("reads nothing and starts nothing", async () => {
    const { api_key: key } = (await dsnFor({ service: "orders" })).json();
    const headers = { "x-api-key": key };
    const read = await service.app.inject({ url: "/api/incidents", headers });
    const analyze = await service.app.inject({
      ...{ method: "POST", url: "/api/mcp/analyze", headers, payload: { error_log: "Error: x" } },
    });
    for (const answer of [read, analyze]) expect(answer.json().code).toBe("WHENCE_ERR_KEY_SCOPE");
  });
});
