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
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  service.app.inject({ method: "POST", url, headers, payload });
const cookieOf = (headers: object): string =>
  [new Map(Object.entries(headers)).get("set-cookie")]
    .flat()
    .map((line) => String(line).split(";", 1)[0])
    .join("; ");

describe("the signed-in person", () => {
  it("is returned with the organization they act for and all they belong to", async () => {
    const answer = await service.app.inject({ url: "/api/session", headers: { cookie: acme.cookie } });
    const organization = { id: acme.id, name: "acme", role: "owner" };
    expect(answer.json()).toMatchObject({
      user: { email: "owner@acme.example", email_verified: true },
      organization,
      organizations: [organization],
    });
  });

  it("is 401 without a session", async () => {
    expect((await service.app.inject("/api/session")).json().code).toBe("WHENCE_ERR_NOT_SIGNED_IN");
  });
});

describe("sign-up", () => {
  it("is public", async () => {
    expect((await service.app.inject("/api/sign-in")).json()).toEqual({ providers: [], sign_up: "invited" });
  });

  it("isn't open where strangers may not sign up, and reveals nothing about an account", async () => {
    const stranger = { name: "Eve", email: "eve@example.com", password: "correct horse" };
    const refused = await post("/api/auth/sign-up/email", stranger);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().message).toContain("invitation");
    expect((await post("/api/auth/sign-up/email?invitation=x", stranger)).statusCode).toBe(403);
  });

  it("is possible with an invitation, only for its address, whose ID is only in the mail", async () => {
    const body = { email: "bob@example.com", role: "member", organizationId: acme.id };
    const headers = { cookie: acme.cookie, origin: "https://whence.example.com", host: "whence.example.com" };
    const invited = await post("/api/auth/organization/invite-member", body, headers);
    expect(invited.statusCode).toBe(200);
    const [mail] = service.mails.filter(({ to }) => to === "bob@example.com");
    const id = /invitation=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const url = `/api/auth/sign-up/email?invitation=${id}`;
    const eve = { name: "Eve", email: "eve@example.com", password: "correct horse" };
    expect((await post(url, eve)).statusCode).toBe(403);
    const bob = await post(url, { ...eve, name: "Bob", email: "Bob@example.com" });
    expect(bob.statusCode).toBe(200);
    const cookie = cookieOf(bob.headers);
    const session = await service.app.inject({ url: "/api/session", headers: { cookie } });
    expect(session.json()).toMatchObject({ organization: null, organizations: [] });
    await post(
      "/api/auth/organization/accept-invitation",
      { invitationId: id },
      { cookie, host: "whence.example.com", origin: "https://whence.example.com" },
    );
    const joined = await service.app.inject({ url: "/api/session", headers: { cookie } });
    expect(joined.json().organization).toMatchObject({ id: acme.id, role: "member" });
  });
});

describe("a forgotten password", () => {
  const requestReset = (email: string) => post("/api/auth/request-password-reset", { email });
  const change = (token: string) => post("/api/auth/reset-password", { token, newPassword: "another battery" });

  /** The tokens in the mails to an address, once there are so many. */
  async function tokensTo(email: string, count: number): Promise<string[]> {
    const mailsTo = () => service.mails.filter(({ to }) => to === email);
    await expect.poll(() => mailsTo().length).toBe(count);
    return mailsTo().map(({ text }) => /\/reset-password\?token=(\S+)/.exec(text)?.[1] ?? "");
  }

  it("is replaced through the link in a mail, once, which ends every session", async () => {
    const organization = await makeOrganization(service, "forgetful");
    const email = "owner@forgetful.example";
    expect((await requestReset(email)).statusCode).toBe(200);
    expect((await requestReset("stranger@example.com")).statusCode).toBe(200);
    const [token = ""] = await tokensTo(email, 1);
    expect((await change(token)).statusCode).toBe(200);
    expect((await change(token)).statusCode).toBe(400);
    const headers = { cookie: organization.cookie };
    expect((await service.app.inject({ url: "/api/session", headers })).statusCode).toBe(401);
    expect(await service.identity.signIn({ email, password: "another battery" })).not.toBeNull();
    expect(service.mails.filter(({ to }) => to === "stranger@example.com")).toEqual([]);
  });

  it("has tokens that are only in mails, not in the database, and using one invalidates the others", async () => {
    await makeOrganization(service, "careless");
    const email = "owner@careless.example";
    await Promise.all([requestReset(email), requestReset(email)]);
    const [first = "", second = ""] = await tokensTo(email, 2);
    const rows: string[] = [];
    for await (const row of service.control.exportRows()) rows.push(JSON.stringify(row));
    expect(rows.filter((row) => row.includes('"verification"'))).not.toEqual([]);
    expect(rows.filter((row) => row.includes(first) || row.includes(second))).toEqual([]);
    expect((await change(first)).statusCode).toBe(200);
    expect((await change(second)).statusCode).toBe(400);
  });

  it("gets the same response whether or not the account exists, and whatever happens to the mail", async () => {
    await makeOrganization(service, "timed");
    const sending = Promise.withResolvers<void>();
    service.holdMails(sending.promise);
    const [known, unknown] = [await requestReset("owner@timed.example"), await requestReset("unknown@timed.example")];
    sending.resolve();
    expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body]);
    await tokensTo("owner@timed.example", 1);
  });
});

describe("where strangers may not sign up", () => {
  const create = (cookie: string, slug: string) =>
    post("/api/auth/organization/create", { name: slug, slug }, { cookie });

  it("a member can't create an organization of their own, into which they could invite anyone", async () => {
    const member = await signInMember(service, acme.id, "plain@acme.example", "member");
    expect((await create(member, "side-door")).statusCode).toBe(403);
  });

  it("an owner, who may invite already, can create another one", async () => {
    expect((await create(acme.cookie, "second")).statusCode).toBe(200);
  });
});
