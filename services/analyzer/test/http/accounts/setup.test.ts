import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeOrganization, signUp, startTestService, type TestService } from "../../test-service.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const ada = { name: "Ada", email: "Ada@Example.com", password: "8 signs." };
const setUp = (person: typeof ada, token = service.setup.token, headers: Record<string, string> = {}) =>
  service.app.inject({ method: "POST", url: "/api/setup", headers, payload: { ...person, token } });
const isOpen = async (token = service.setup.token) =>
  (await service.app.inject(`/api/setup?token=${token}`)).statusCode === 200;
const ownersOf = async (id: string) =>
  service.control.identity.db
    .withTables<{ member: { organizationId: string; role: string } }>()
    .selectFrom("member")
    .select("role")
    .where("organizationId", "=", id)
    .execute();

describe("the setup link", () => {
  it("rejects another token, a password of less than 8 characters, and another site", async () => {
    expect((await setUp(ada, "wrong")).statusCode).toBe(410);
    expect((await setUp({ ...ada, password: "1234567" })).statusCode).toBe(422);
    expect((await setUp(ada, service.setup.token, { origin: "https://evil.example" })).statusCode).toBe(403);
    expect([await isOpen("wrong"), await isOpen()]).toEqual([false, true]);
    expect(await service.control.organizations.isSetUp()).toBe(false);
  });

  it("makes the first person to use it the owner, with a session cookie that scripts and other sites can't read", async () => {
    const done = await setUp(ada);
    expect(done.json()).toEqual({ organization_id: service.setup.organizationId });
    const cookie = String(done.headers["set-cookie"]);
    for (const attribute of [/HttpOnly/i, /SameSite=Lax/i, /Secure/]) expect(cookie).toMatch(attribute);
    const session = await service.app.inject({
      url: "/api/session",
      headers: { cookie: cookie.split(";", 1)[0] ?? "" },
    });
    expect(session.json()).toMatchObject({ user: { name: "Ada" }, organization: { name: "default", role: "owner" } });
    expect(await isOpen()).toBe(false);
  });

  it("names the owner's browser among their sessions", async () => {
    const done = await setUp(ada, service.setup.token, { "user-agent": "Firefox/140.0" });
    const cookie = String(done.headers["set-cookie"]).split(";", 1)[0] ?? "";
    const sessions = await service.app.inject({ url: "/api/auth/list-sessions", headers: { cookie } });
    expect(sessions.json()).toMatchObject([{ userAgent: "Firefox/140.0" }]);
  });

  it("used by six at once makes one of them the owner, and is closed to the others", async () => {
    const people = Array.from({ length: 6 }, (_, index) => ({ ...ada, email: `${index}@example.com` }));
    const answers = await Promise.all(people.map((person) => setUp(person)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410, 410, 410, 410]);
    expect(await ownersOf(service.setup.organizationId)).toEqual([{ role: "owner" }]);
  });

  it("used again by the owner, whose browser got no response, signs the owner in; with another password it is closed", async () => {
    expect((await setUp(ada)).statusCode).toBe(200);
    const again = await setUp(ada);
    expect(again.statusCode).toBe(200);
    expect(again.headers["set-cookie"]).toBeTruthy();
    expect((await setUp({ ...ada, password: "another one" })).statusCode).toBe(410);
    expect((await setUp(ada, "another token")).statusCode).toBe(410);
    expect((await ownersOf(service.setup.organizationId)).length).toBe(1);
  });

  it("used to guess the owner's password is rejected with 429 after five attempts, until the delay is over", async () => {
    await setUp(ada);
    const guess = () => setUp({ ...ada, password: "a guess at it" });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await guess()).statusCode).toBe(410);
    for (const refused of [await guess(), await setUp(ada)]) {
      expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
      expect(refused.json().code).toBe("WHENCE_ERR_SIGN_IN_DELAYED");
    }
    service.clock.now += 1_000;
    expect((await setUp(ada)).statusCode).toBe(200);
  });

  it("used with the address of a setup that was interrupted completes it", async () => {
    await signUp(service.control, { ...ada, email: "ada@example.com", password: "the first attempt" });
    expect((await setUp(ada)).statusCode).toBe(200);
    expect(await ownersOf(service.setup.organizationId)).toEqual([{ role: "owner" }]);
  });

  it("used with the address of someone in another organization asks for a different one", async () => {
    await makeOrganization(service, "acme");
    const refused = await setUp({ ...ada, email: "owner@acme.example" });
    expect(refused.json().code).toBe("WHENCE_ERR_EMAIL_TAKEN");
    expect((await setUp(ada)).statusCode).toBe(200);
  });

  it("stays closed when the owner's membership is gone", async () => {
    await setUp(ada);
    await service.control.identity.db.withTables<{ member: { id: string } }>().deleteFrom("member").execute();
    expect(await isOpen()).toBe(false);
    expect((await setUp({ ...ada, email: "eve@example.com" })).statusCode).toBe(410);
  });
});
