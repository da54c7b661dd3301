import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../test/servers/free-port.ts";
import { issuerAt, type OpenIdProvider, startOpenIdProvider } from "../../../../test/servers/openid-provider.ts";
import { createIdentity } from "../../src/identity/create-identity.ts";
import type { Identity } from "../../src/identity/identity.ts";
import {
  appUrl,
  makeOrganization,
  noMail,
  quickHashing,
  signInMember,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";
import { askIdentity, cookieJar, visitProvider } from "./provider-visit.ts";

const password = "correct horse battery";
const client = { id: "whence", secret: "of the tests", redirectUri: `${appUrl}/api/auth/callback/oidc` };
const claims = (email: string) => ({ email, email_verified: true, name: "Someone" });

let service: TestService;
let acme: TestOrganization;
let port: number;
let provider: OpenIdProvider;
beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  port = await freePort();
  const accounts = {
    ...{ acme: claims("owner@acme.example"), late: claims("late@acme.example") },
    other: claims("owner@other.example"),
  };
  provider = await startOpenIdProvider({ port, client, accounts });
});
afterAll(async () => {
  await provider?.stop();
  await service?.close();
});

const identityWith = (issuer: string | null = issuerAt(port)): Identity =>
  createIdentity({
    ...{ control: service.control, clock: Date.now, secretKeys: [service.secretKey], appUrl, openSignUp: false },
    ...{ mailer: noMail, passwordHashing: quickHashing, logger: silent },
    ...(issuer && {
      providers: { oidc: { issuer, name: "Acme SSO", clientId: client.id, clientSecret: client.secret } },
    }),
  });

const signIn = (identity: Identity, email: string, entered = password) =>
  askIdentity(identity, cookieJar(), "/api/auth/sign-in/email", { email, password: entered });

async function turnOff(organizationId: string, passwordsOff = true): Promise<void> {
  const settings = { retentionDays: null, eventsPerDay: null, inputBytesMax: null, plainUsers: false };
  await service.control.organizations.configure(organizationId, { ...settings, passwordsOff });
}

const db = () =>
  service.control.identity.db.withTables<{
    member: { organizationId: string; role: string; userId: string };
    user: { id: string; email: string };
  }>();

/** Invites an address to the first organization; returns the ID of its mail's link. */
async function invite(email: string): Promise<string> {
  const url = "/api/auth/organization/invite-member";
  const payload = { email, role: "member", organizationId: acme.id };
  const headers = { cookie: acme.cookie, origin: appUrl, host: new URL(appUrl).host };
  await service.app.inject({ method: "POST", url, headers, payload });
  return /invitation=(\S+)/.exec(service.mails.at(-1)?.text ?? "")?.[1] ?? "";
}

async function verify(email: string): Promise<void> {
  const { id } = await db().selectFrom("user").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  await service.control.accounts.verify(id);
}

describe("an organization whose members sign in with the provider", () => {
  it("keeps them from their passwords once an owner has used the provider, and from then on only", async () => {
    await signInMember(service, acme.id, "member@acme.example", "member");
    await turnOff(acme.id);
    const identity = identityWith();
    expect(await identity.canDoWithoutPasswords(acme.id)).toBe(false);
    expect((await signIn(identity, "member@acme.example")).status).toBe(200);
    expect((await visitProvider(identity, "acme")).email).toBe("owner@acme.example");
    expect(await identity.canDoWithoutPasswords(acme.id)).toBe(true);
    for (const email of ["member@acme.example", "owner@acme.example"]) {
      const refused = await signIn(identity, email);
      expect(refused.status).toBe(403);
      expect(refused.headers.getSetCookie().join()).not.toContain("session_token");
      expect(await refused.json()).toMatchObject({
        code: "WHENCE_ERR_PASSWORD_SIGN_IN_OFF",
        message: "members of acme don't sign in with a password: choose Acme SSO on the sign-in page",
      });
    }
    expect((await visitProvider(identity, "acme")).email).toBe("owner@acme.example");
  });

  it("says so only to someone who knows the password", async () => {
    const wrong = await signIn(identityWith(), "member@acme.example", "wrong horse battery");
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).not.toContain("SSO");
  });

  it("doesn't affect another organization", async () => {
    const other = await makeOrganization(service, "other");
    await signInMember(service, other.id, "member@other.example", "member");
    expect((await signIn(identityWith(), "member@other.example")).status).toBe(200);
  });

  it("admits who is invited once they have signed in with the provider, and not with a password", async () => {
    const late = { name: "Late", email: "late@acme.example", password };
    const invitationId = await invite(late.email);
    const identity = identityWith();
    const refusal = { code: "WHENCE_ERR_PASSWORD_SIGN_IN_OFF", message: expect.stringContaining("choose Acme SSO") };
    const signUpPath = `/api/auth/sign-up/email?invitation=${invitationId}`;
    const refused = await askIdentity(identity, cookieJar(), signUpPath, late);
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining(refusal)]);
    const jar = cookieJar();
    const join = () => askIdentity(identity, jar, "/api/auth/organization/accept-invitation", { invitationId });
    // An account from before: its session is one of a password.
    expect((await askIdentity(identityWith(null), jar, signUpPath, late)).status).toBe(200);
    const kept = await join();
    expect([kept.status, await kept.json()]).toEqual([403, expect.objectContaining(refusal)]);
    expect(await identity.member({ cookie: jar.header() })).toBeNull();
    await verify(late.email);
    expect((await visitProvider(identity, "late", { jar })).email).toBe(late.email);
    expect((await join()).status).toBe(200);
    expect(await identity.member({ cookie: jar.header() })).toMatchObject({ organizationName: "acme" });
    expect((await signIn(identity, late.email)).status).toBe(403);
  });

  it("locks no one out when the operator has no provider, or another one", async () => {
    expect((await signIn(identityWith(null), "owner@acme.example")).status).toBe(200);
    expect((await signIn(identityWith("https://login.example"), "owner@acme.example")).status).toBe(200);
    expect((await signIn(identityWith(), "owner@acme.example")).status).toBe(403);
  });

  it("locks no one out when the owner who used the provider isn't one any longer", async () => {
    const { id } = await service.control.organizations.ensure({ slug: "acme", name: "acme", now: new Date() });
    const owners = db().updateTable("member").where("organizationId", "=", id);
    await owners.where("role", "=", "owner").set({ role: "member" }).execute();
    expect((await signIn(identityWith(), "member@acme.example")).status).toBe(200);
  });
});

describe("the setting", () => {
  it("is refused while no owner has signed in with the provider", async () => {
    const fresh = await makeOrganization(service, "fresh");
    const settings = { retention_days: null, events_per_day: null, input_bytes_max: null, plain_users: false };
    const put = (passwords_off: boolean) =>
      service.app.inject({
        ...{ method: "PUT", url: "/api/organization", headers: { cookie: fresh.cookie } },
        payload: { settings: { ...settings, passwords_off } },
      });
    const refused = await put(true);
    expect([refused.statusCode, refused.json().code]).toEqual([409, "WHENCE_ERR_PASSWORDS_NEEDED"]);
    expect((await put(false)).statusCode).toBe(200);
  });
});
