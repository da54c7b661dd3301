import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { codeOf } from "../../../../test/servers/authenticator.ts";
import { createIdentity } from "../../src/identity/create-identity.ts";
import type { Identity } from "../../src/identity/identity.ts";
import { rotateSecondFactors } from "../../src/identity/rotate-second-factors.ts";
import {
  appUrl,
  makeOrganization,
  noMail,
  quickHashing,
  silent,
  startTestService,
  type TestService,
} from "../test-service.ts";
import { askIdentity, type CookieJar, cookieJar } from "./provider-visit.ts";

const password = "correct horse battery";
const setupSchema = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) });

let service: TestService;
beforeAll(async () => {
  // Codes last half a minute, which a busy machine may take for a step.
  vi.useFakeTimers({ toFake: ["Date"] });
  service = await startTestService();
});
afterAll(async () => {
  await service?.close();
  vi.useRealTimers();
});

const identityWith = (...secretKeys: Buffer[]): Identity =>
  createIdentity({
    ...{ control: service.control, clock: Date.now, secretKeys, appUrl },
    ...{ openSignUp: false, mailer: noMail, passwordHashing: quickHashing, logger: silent },
  });

/** Asks the service as a page of its own does, and returns what it answers. */
async function ask(jar: CookieJar, path: string, payload: object) {
  const headers = { cookie: jar.header(), host: "whence.example.com", origin: appUrl };
  const answer = await service.app.inject({ method: "POST", url: `/api/auth/${path}`, headers, payload });
  const lines = [answer.headers["set-cookie"] ?? []].flat();
  jar.keep(new Response(null, { headers: lines.map((line): [string, string] => ["set-cookie", line]) }));
  return answer;
}

const isSignedIn = async (jar: CookieJar) => (await service.identity.person({ cookie: jar.header() })) !== null;

/** The first step of a sign-in. */
async function enterPassword(email: string) {
  const jar = cookieJar();
  const answer = await ask(jar, "sign-in/email", { email, password });
  return { jar, answer };
}

/** An owner whose sign-in takes a code. */
async function secured(slug: string) {
  const { id } = await makeOrganization(service, slug);
  const email = `owner@${slug}.example`;
  const { jar } = await enterPassword(email);
  const { totpURI, backupCodes } = setupSchema.parse((await ask(jar, "two-factor/enable", { password })).json());
  const key = new URL(totpURI).searchParams.get("secret") ?? "";
  const code = codeOf(key);
  const proof = await ask(jar, "two-factor/verify-totp", { code });
  expect(proof.statusCode).toBe(200);
  return { id, email, jar, key, backupCodes, totpURI, used: new Set([code]) };
}

/** The code of the next half a minute, which is accepted already: that of now is used up by turning it on. */
const nextCode = (key: string): string => codeOf(key, Date.now() + periodMs);
const periodMs = 30_000;

/** A code that is accepted now and isn't used up, also when another half a minute has begun since the last one was. */
function unusedCode(key: string, used: ReadonlySet<string>): string {
  const accepted = [periodMs, 0, -periodMs].map((ms) => codeOf(key, Date.now() + ms));
  return accepted.find((code) => !used.has(code)) ?? "";
}

/** Another code than the right one of now, a while ago, or soon. */
function wrongCode(key: string): string {
  const right = [-60_000, -30_000, 0, 30_000, 60_000].map((ms) => codeOf(key, Date.now() + ms));
  const wrong = Array.from({ length: 10 }, (_, index) => String(100_000 + index)).find((code) => !right.includes(code));
  return wrong ?? "";
}

async function auditOf(organizationId: string): Promise<string[]> {
  const entries = await service.control.scope(organizationId).audit.list({ limit: 50, before: undefined });
  return entries.map(({ action, target, actor }) => `${actor.name}: ${action} ${target}`);
}

describe("a second factor", () => {
  it("is asked for once a code has shown that the app has the key", async () => {
    await makeOrganization(service, "half");
    const { jar } = await enterPassword("owner@half.example");
    const { totpURI } = setupSchema.parse((await ask(jar, "two-factor/enable", { password })).json());
    const key = new URL(totpURI).searchParams.get("secret") ?? "";
    expect((await ask(jar, "two-factor/verify-totp", { code: wrongCode(key) })).statusCode).toBe(401);
    const early = await enterPassword("owner@half.example");
    expect(await isSignedIn(early.jar)).toBe(true);
    await ask(jar, "two-factor/verify-totp", { code: codeOf(key) });
    const late = await enterPassword("owner@half.example");
    expect(late.answer.json()).toMatchObject({ twoFactorRedirect: true });
    expect(await isSignedIn(late.jar)).toBe(false);
    expect((await ask(late.jar, "two-factor/verify-totp", { code: nextCode(key) })).statusCode).toBe(200);
    expect(await isSignedIn(late.jar)).toBe(true);
  });

  it("is named after the service and the account in the app", async () => {
    const { totpURI, email } = await secured("named");
    expect(totpURI).toMatch(/^otpauth:\/\/totp\/whence\.example\.com:/);
    expect(decodeURIComponent(totpURI)).toContain(email);
  });

  it("needs the password to be set up, replaced, or turned off, and its guesses are delayed", async () => {
    const { jar } = await secured("guessed");
    for (const path of ["enable", "disable", "generate-backup-codes"]) {
      expect([path, (await ask(jar, `two-factor/${path}`, { password: "wrong" })).statusCode]).toEqual([path, 400]);
    }
    for (let guess = 0; guess < 2; guess += 1) await ask(jar, "two-factor/disable", { password: "wrong" });
    const delayed = await ask(jar, "two-factor/disable", { password });
    expect([delayed.statusCode, delayed.json().code]).toEqual([429, "WHENCE_ERR_SIGN_IN_DELAYED"]);
  });

  it("takes each code once, and a wrong one as often as it is entered", async () => {
    const { email, key } = await secured("replayed");
    const enter = async (code: string) => {
      const { jar } = await enterPassword(email);
      const answer = await ask(jar, "two-factor/verify-totp", { code });
      return [answer.statusCode, answer.json().code, await isSignedIn(jar)];
    };
    expect(await enter(codeOf(key))).toEqual([401, "WHENCE_ERR_CODE_USED", false]);
    const code = nextCode(key);
    expect(await enter(code)).toEqual([200, undefined, true]);
    for (let again = 0; again < 2; again += 1) {
      expect(await enter(code)).toEqual([401, "WHENCE_ERR_CODE_USED", false]);
    }
    for (let again = 0; again < 2; again += 1) expect((await enter(wrongCode(key)))[1]).toBe("INVALID_CODE");
  });

  it("lets one of several sign-ins at once use a code", async () => {
    const { email, key } = await secured("at-once");
    const code = nextCode(key);
    const jars = [await enterPassword(email), await enterPassword(email), await enterPassword(email)];
    const answers = await Promise.all(jars.map(({ jar }) => ask(jar, "two-factor/verify-totp", { code })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401, 401]);
  });

  it("is replaced by a backup code, each once", async () => {
    const { id, email, backupCodes } = await secured("backup");
    const [code = ""] = backupCodes;
    const first = await enterPassword(email);
    expect((await ask(first.jar, "two-factor/verify-backup-code", { code })).statusCode).toBe(200);
    expect(await isSignedIn(first.jar)).toBe(true);
    const second = await enterPassword(email);
    expect((await ask(second.jar, "two-factor/verify-backup-code", { code })).statusCode).toBe(401);
    expect(await isSignedIn(second.jar)).toBe(false);
    expect(await auditOf(id)).toContain(`${email}: member.backup-code-used ${email}`);
  });

  it("has new backup codes on request, which end the old ones", async () => {
    const { email, jar, backupCodes } = await secured("renewed");
    const answer = await ask(jar, "two-factor/generate-backup-codes", { password });
    const [fresh = ""] = z.object({ backupCodes: z.array(z.string()) }).parse(answer.json()).backupCodes;
    const { jar: next } = await enterPassword(email);
    expect((await ask(next, "two-factor/verify-backup-code", { code: backupCodes[0] })).statusCode).toBe(401);
    expect((await ask(next, "two-factor/verify-backup-code", { code: fresh })).statusCode).toBe(200);
  });

  it("takes 5 codes a sign-in, and after 10 wrong ones in a row none for a while", async () => {
    const { email, key, used } = await secured("brute");
    for (const round of [1, 2]) {
      const { jar } = await enterPassword(email);
      for (let guess = 0; guess < 5; guess += 1) {
        const wrong = await ask(jar, "two-factor/verify-totp", { code: wrongCode(key) });
        expect([round, guess, wrong.statusCode]).toEqual([round, guess, 401]);
      }
      // The sign-in that was refused has used up its code.
      const code = unusedCode(key, used);
      const right = await ask(jar, "two-factor/verify-totp", { code });
      expect([round, right.statusCode]).toEqual([round, round === 1 ? 400 : 429]);
      if (round === 1) used.add(code);
    }
    const { jar } = await enterPassword(email);
    expect((await ask(jar, "two-factor/verify-totp", { code: unusedCode(key, used) })).statusCode).toBe(429);
    expect(await isSignedIn(jar)).toBe(false);
  });

  it("isn't entered without the password before it", async () => {
    const { key, backupCodes } = await secured("skipped");
    const jar = cookieJar();
    expect((await ask(jar, "two-factor/verify-totp", { code: codeOf(key) })).statusCode).toBe(401);
    expect((await ask(jar, "two-factor/verify-backup-code", { code: backupCodes[0] })).statusCode).toBe(401);
  });

  it("is turned off with the password, and each change is in the audit log", async () => {
    const { id, email, jar } = await secured("stopped");
    await ask(jar, "two-factor/generate-backup-codes", { password });
    expect((await ask(jar, "two-factor/disable", { password })).statusCode).toBe(200);
    expect(await isSignedIn((await enterPassword(email)).jar)).toBe(true);
    expect((await auditOf(id)).slice(0, 3)).toEqual([
      `${email}: member.two-factor-disabled ${email}`,
      `${email}: member.backup-codes-replaced ${email}`,
      `${email}: member.two-factor-enabled ${email}`,
    ]);
  });
});

describe("the key of a second factor", () => {
  const stored = () =>
    service.control.identity.db
      .withTables<{ twoFactor: { secret: string; backupCodes: string } }>()
      .selectFrom("twoFactor")
      .select(["secret", "backupCodes"])
      .execute();

  it("is encrypted in the database, as are the backup codes", async () => {
    const { key, backupCodes } = await secured("sealed");
    const text = JSON.stringify(await stored());
    for (const secret of [key, Buffer.from(key).toString("base64"), ...backupCodes]) expect(text).not.toContain(secret);
  });

  it("is readable with the next secret key alone once it was rotated, and by both until then", async () => {
    const { email, key, backupCodes } = await secured("rotated");
    const [backupCode = ""] = backupCodes;
    const next = randomBytes(32);
    const signIn = async (identity: Identity, factor: "backup-code" | "totp", code: string) => {
      const jar = cookieJar();
      await askIdentity(identity, jar, "/api/auth/sign-in/email", { email, password });
      return (await askIdentity(identity, jar, `/api/auth/two-factor/verify-${factor}`, { code })).status;
    };
    expect(await signIn(identityWith(next, service.secretKey), "totp", nextCode(key))).toBe(200);
    const rows = (await stored()).length;
    expect(await rotateSecondFactors(service.control, [next])).toEqual({ rotated: 0, unreadable: 2 * rows });
    const keys = [next, service.secretKey];
    expect(await rotateSecondFactors(service.control, keys)).toEqual({ rotated: 2 * rows, unreadable: 0 });
    expect(await rotateSecondFactors(service.control, keys)).toEqual({ rotated: 0, unreadable: 0 });
    expect(await signIn(identityWith(next), "backup-code", backupCode)).toBe(200);
    expect(await rotateSecondFactors(service.control, [service.secretKey, next])).toEqual({
      rotated: 2 * rows,
      unreadable: 0,
    });
  });
});
