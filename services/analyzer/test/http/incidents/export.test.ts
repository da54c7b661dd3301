import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../../stored-event.ts";
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
  // The store forgets what is too old by its own clock.
  service.clock.now = Date.now();
  acme = await makeOrganization(service, "acme");
  memberCookie = await signInMember(service, acme.id, "member@acme.example", "member");
});
afterAll(() => service.close());

const read = (url: string, cookie: string) => service.app.inject({ url, headers: { cookie } });

interface Line {
  readonly table?: string;
  readonly row?: Readonly<Record<string, unknown>>;
  readonly event?: { readonly event: { readonly id: string } };
  readonly whence_export?: string;
  readonly end?: { readonly lines: number };
}

function linesOf(body: string): Line[] {
  return body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("the export of an organization", () => {
  it("is JSON lines of everything it has and nothing of another's, ending with their count", async () => {
    const other = await makeOrganization(service, "other");
    for (const { key } of [acme, other]) {
      const request = { method: "POST", url: "/api/mcp/analyze", headers: { "x-api-key": key } } as const;
      const files = [{ name: "a.js", content: `source of ${key === acme.key ? "acme" : "other"}` }];
      await service.app.inject({ ...request, payload: { error_log: "Error: boom", files } });
    }
    const receivedAt = new Date(service.clock.now).toISOString();
    const [mine, theirs] = [storedEvent(acme.id, { receivedAt }), storedEvent(other.id, { receivedAt })];
    await service.events.insert([mine, theirs]);
    const answer = await read("/api/organization/export", acme.cookie);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="whence-organization.ndjson"');
    const lines = linesOf(answer.body);
    expect(lines[0]).toMatchObject({ whence_export: "organization", id: acme.id });
    expect(lines.at(-1)).toEqual({ end: { lines: lines.length - 2 } });
    expect(lines.flatMap(({ event }) => event?.event.id ?? [])).toEqual([mine.event.id]);
    expect(answer.body).toContain("source of acme");
    for (const foreign of ["source of other", other.id, acme.key, theirs.event.id]) {
      expect(answer.body).not.toContain(foreign);
    }
    const audit = (await read("/api/audit", acme.cookie)).json().entries[0];
    expect([audit.action, audit.target]).toEqual(["data.exported", "acme"]);
  });

  it("is for owners", async () => {
    expect((await read("/api/organization/export", memberCookie)).json().code).toBe("WHENCE_ERR_OWNER_ONLY");
    expect((await service.app.inject({ url: "/api/organization/export" })).statusCode).toBe(401);
  });
});

describe("an account", () => {
  it("is exported with the person's data, without passwords and tokens", async () => {
    const answer = await read("/api/account/export", memberCookie);
    const lines = linesOf(answer.body);
    const tables = lines.flatMap(({ table }) => table ?? []);
    expect([...new Set(tables)]).toEqual(["user", "account", "session", "member"]);
    expect(lines[1]?.row).toMatchObject({ email: "member@acme.example" });
    expect(answer.body).not.toMatch(/password|token|owner@acme/i);
    expect((await service.app.inject({ url: "/api/account/export" })).json().code).toBe("WHENCE_ERR_NOT_SIGNED_IN");
  });

  it("is deleted by its owner, who is signed out and leaves their organizations", async () => {
    const cookie = await signInMember(service, acme.id, "leaver@acme.example", "member");
    const foreign = { cookie, origin: "https://evil.example" };
    const remove = (headers: Record<string, string>) =>
      service.app.inject({ method: "DELETE", url: "/api/account", headers });
    expect((await remove(foreign)).json().code).toBe("WHENCE_ERR_ORIGIN_REFUSED");
    expect((await remove({ cookie })).statusCode).toBe(200);
    expect((await read("/api/session", cookie)).statusCode).toBe(401);
    expect(
      await service.identity.signIn({ email: "leaver@acme.example", password: "correct horse battery" }),
    ).toBeNull();
    const [entry] = (await read("/api/audit", acme.cookie)).json().entries;
    expect([entry.action, entry.actor.name]).toEqual(["member.removed", "a removed account"]);
  });

  it("of an organization's only owner stays until another member is one", async () => {
    const answer = await service.app.inject({
      method: "DELETE",
      url: "/api/account",
      headers: { cookie: acme.cookie },
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      {
        detail: "you are the only owner of acme: make another member an owner, then delete your account",
        code: "WHENCE_ERR_LAST_OWNER",
      },
    ]);
    expect((await read("/api/session", acme.cookie)).statusCode).toBe(200);
  });
});
