import { randomBytes, scryptSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operatorToken, setupToken } from "../src/credentials.ts";
import { createIdentity } from "../src/identity/create-identity.ts";
import { resignCookies } from "../src/identity/resign-cookies.ts";
import {
  appUrl,
  makeOrganization,
  noMail,
  quickHashing,
  signOut,
  silent,
  startTestService,
  type TestService,
} from "./test-service.ts";

let service: TestService;
let cookie: string;

beforeAll(async () => {
  service = await startTestService();
  ({ cookie } = await makeOrganization(service, "acme"));
});
afterAll(() => service.close());

const identityWith = (...secretKeys: Buffer[]) =>
  createIdentity({
    control: service.control,
    clock: Date.now,
    secretKeys,
    appUrl,
    openSignUp: false,
    mailer: noMail,
    passwordHashing: quickHashing,
    logger: silent,
  });

async function signIn(identity: ReturnType<typeof identityWith>): Promise<string> {
  const lines = await identity.signIn({ email: "owner@acme.example", password: "correct horse battery" });
  return (lines ?? []).map((line) => line.split(";", 1)[0]).join("; ");
}

const isMember = async (identity: ReturnType<typeof identityWith>, header: string): Promise<boolean> =>
  (await identity.member({ cookie: header })) !== null;

describe("a changed secret key", () => {
  const next = randomBytes(32);

  it("keeps sessions valid while the former key is known, and ends them once it isn't", async () => {
    expect(await isMember(identityWith(next, service.secretKey), cookie)).toBe(true);
    expect(await isMember(identityWith(next), cookie)).toBe(false);
    expect(await isMember(identityWith(next, randomBytes(32)), cookie)).toBe(false);
  });

  it("that isn't current yet is accepted from a process that already has it", async () => {
    const ahead = await signIn(identityWith(next, service.secretKey));
    expect(await isMember(identityWith(service.secretKey, next), ahead)).toBe(true);
  });

  it("works for the library's own routes too", async () => {
    const identity = identityWith(next, service.secretKey);
    const session = await identity.handle(new Request(`${appUrl}/api/auth/get-session`, { headers: { cookie } }));
    expect(await session.json()).toMatchObject({ user: { email: "owner@acme.example" } });
  });

  it("allows ending a session that the former key signed", async () => {
    const mine = await signIn(identityWith(service.secretKey));
    await signOut(identityWith(next, service.secretKey), mine);
    expect(await isMember(identityWith(service.secretKey), mine)).toBe(false);
  });

  it("changes the setup and the operator token", () => {
    expect(operatorToken(next)).not.toBe(operatorToken(service.secretKey));
    expect(setupToken(next, "org_1")).not.toBe(setupToken(service.secretKey, "org_1"));
    expect(operatorToken(next)).not.toBe(setupToken(next, ""));
  });
});

describe("cookies", () => {
  it.each(["", "a", "a=", "=", "a=b", "a=b.c", "a=%E0%A4%A", "a=1; b=2", "a=b.c=; d=%2E"])(
    "without a signature stay as they are: %j",
    (header) => {
      expect(resignCookies(header, "current", ["former"])).toBe(header);
    },
  );

  it("with a forged signature aren't signed again", () => {
    const forged = `${cookie.slice(0, -8)}AAAAAAAA`;
    expect(resignCookies(forged, "current", ["former"])).toBe(forged);
  });
});

it("stores a password hashed by scrypt, with its own salt by default", async () => {
  const { control, secretKey } = service;
  const identity = createIdentity({
    ...{ control, clock: Date.now, secretKeys: [secretKey], appUrl },
    ...{ openSignUp: false, mailer: noMail, logger: silent },
  });
  const stored = await Promise.all([1, 2].map(() => identity.hashPassword("correct horse battery")));
  const cost = { N: 16_384, r: 16, p: 1, maxmem: 67_108_864 };
  for (const hash of stored) {
    const [salt = "", key] = hash.split(":");
    expect(key).toBe(scryptSync("correct horse battery", salt, 64, cost).toString("hex"));
  }
  expect(stored[0]).not.toBe(stored[1]);
});
