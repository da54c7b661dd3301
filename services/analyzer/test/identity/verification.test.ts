import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { codeOf } from "../../../../test/servers/authenticator.ts";
import {
  appUrl,
  makeOrganization,
  signUp,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";
import { askIdentity, cookieJar } from "./provider-visit.ts";

const password = "correct horse battery";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService({}, true);
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service?.close());

const tokenTo = (email: string): string => {
  const mail = service.mails.findLast(({ to, subject }) => to === email && subject.startsWith("Verify"));
  return /\/verify-email\?token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
};

/** Signs up as a browser does, and returns its cookies. */
async function join(email: string) {
  const jar = cookieJar();
  const person = { name: email, email, password };
  expect((await askIdentity(service.identity, jar, "/api/auth/sign-up/email", person)).status).toBe(200);
  return jar;
}

const verify = (jar: ReturnType<typeof cookieJar>, token: string) =>
  askIdentity(service.identity, jar, `/api/auth/verify-email?token=${token}`);
const isVerified = async (jar: ReturnType<typeof cookieJar>) =>
  (await service.identity.person({ cookie: jar.header() }))?.isVerified;

const newPassword = "another battery";

/** Sets a new password through the link in a mail, as the reader of the mail does. */
async function resetPassword(email: string) {
  await askIdentity(service.identity, cookieJar(), "/api/auth/request-password-reset", { email });
  const reset = () => service.mails.findLast(({ to, subject }) => to === email && subject.startsWith("Reset"));
  await expect.poll(reset).toBeDefined();
  const token = /token=(\S+)/.exec(reset()?.text ?? "")?.[1];
  return askIdentity(service.identity, cookieJar(), "/api/auth/reset-password", { token, newPassword });
}

const signInAgain = (jar: ReturnType<typeof cookieJar>, email: string) =>
  askIdentity(service.identity, jar, "/api/auth/sign-in/email", { email, password: newPassword });

/** Signs up with an organization of one's own, and turns on a second factor. */
async function joinSecured(email: string, slug: string) {
  const jar = await join(email);
  const created = await askIdentity(service.identity, jar, "/api/auth/organization/create", { name: slug, slug });
  const { id } = z.object({ id: z.string() }).parse(await created.json());
  const enabled = await askIdentity(service.identity, jar, "/api/auth/two-factor/enable", { password });
  const { totpURI } = z.object({ totpURI: z.string() }).parse(await enabled.json());
  const code = codeOf(new URL(totpURI).searchParams.get("secret") ?? "");
  expect((await askIdentity(service.identity, jar, "/api/auth/two-factor/verify-totp", { code })).status).toBe(200);
  const actions = async () =>
    (await service.control.scope(id).audit.list({ limit: 50, before: undefined })).map(({ action }) => action);
  return { jar, actions };
}

describe("an address", () => {
  it("is verified by the link in the mail that follows the sign-up", async () => {
    const bob = await join("bob@example.com");
    expect(await isVerified(bob)).toBe(false);
    expect((await verify(bob, tokenTo("bob@example.com"))).status).toBe(200);
    expect(await isVerified(bob)).toBe(true);
  });

  it("isn't verified by a link that a program without the account's session opens", async () => {
    const eve = await join("victim@example.com");
    const token = tokenTo("victim@example.com");
    expect((await verify(cookieJar(), token)).status).toBe(401);
    expect((await verify(await join("other@example.com"), token)).status).toBe(403);
    expect(await isVerified(eve)).toBe(false);
  });

  it.each(["", "a.b.c", "x"])("isn't verified by another token: %j", async (token) => {
    const eve = await join(`eve-${token.length}@example.com`);
    expect((await verify(eve, token)).status).toBeGreaterThanOrEqual(400);
    expect(await isVerified(eve)).toBe(false);
  });

  it("isn't verified by a token that the holder of a session signs", async () => {
    const email = "forger@example.com";
    const forger = await join(email);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forged = `${part({ alg: "none" })}.${part({ email, exp: 9_999_999_999 })}.`;
    expect((await verify(forger, forged)).status).toBe(401);
    expect(await isVerified(forger)).toBe(false);
  });

  it("gets another link when its person asks, and no one else can ask", async () => {
    const carol = await join("carol@example.com");
    const before = service.mails.length;
    const send = (jar: ReturnType<typeof cookieJar>) =>
      askIdentity(service.identity, jar, "/api/auth/send-verification-email", { email: "carol@example.com" });
    expect((await send(cookieJar())).status).toBe(401);
    expect((await send(await join("dave@example.com"))).status).toBe(400);
    expect(service.mails.slice(before).filter(({ to }) => to === "carol@example.com")).toEqual([]);
    expect((await send(carol)).status).toBe(200);
    expect((await verify(carol, tokenTo("carol@example.com"))).status).toBe(200);
  });

  it("is verified by setting a new password through the link in a mail", async () => {
    const erin = await join("erin@example.com");
    expect((await resetPassword("erin@example.com")).status).toBe(200);
    await signInAgain(erin, "erin@example.com");
    expect(await isVerified(erin)).toBe(true);
  });

  it("is its person's alone once they have set a password: a stranger's second factor and session end", async () => {
    const email = "late@example.com";
    const stranger = await joinSecured(email, "strange");
    expect((await resetPassword(email)).status).toBe(200);
    expect(await service.identity.person({ cookie: stranger.jar.header() })).toBeNull();
    const late = cookieJar();
    await signInAgain(late, email);
    expect(await service.identity.person({ cookie: late.header() })).toMatchObject({
      ...{ email, isVerified: true, hasSecondFactor: false },
    });
    expect(await stranger.actions()).toContain("member.two-factor-reset");
  });

  it("keeps its second factor when a password is set once it was verified", async () => {
    const email = "grace@example.com";
    const grace = await joinSecured(email, "graceful");
    expect((await verify(grace.jar, tokenTo(email))).status).toBe(200);
    expect((await resetPassword(email)).status).toBe(200);
    const answer = await signInAgain(cookieJar(), email);
    expect(await answer.json()).toMatchObject({ twoFactorRedirect: true });
    expect(await grace.actions()).not.toContain("member.two-factor-reset");
  });

  it("gets no mail about an incident before it is verified", async () => {
    const email = "frank@acme.example";
    const userId = await signUp(service.control, { name: "Frank", email, password });
    await service.control.organizations.addMember({ organizationId: acme.id, userId, role: "member", now: new Date() });
    const analysis = { error_log: "Error: out of stock" };
    const headers = { cookie: acme.cookie, host: "whence.example.com", origin: appUrl };
    const started = await service.app.inject({
      ...{ method: "POST", url: "/api/mcp/analyze", headers: { "x-api-key": acme.key }, payload: analysis },
    });
    const hand = (action: string, to?: string) =>
      service.app.inject({
        ...{
          method: "POST",
          url: `/api/incidents/${started.json().incident_id}/owner`,
          headers,
          payload: { action, to },
        },
      });
    const mailsToFrank = () => service.mails.filter(({ to }) => to === email).length;
    expect((await hand("hand-over", email)).statusCode).toBe(200);
    expect(mailsToFrank()).toBe(0);
    await service.control.accounts.verify(userId);
    await hand("take");
    expect((await hand("hand-over", email)).statusCode).toBe(200);
    await expect.poll(mailsToFrank).toBe(1);
  });
});
