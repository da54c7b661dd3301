import { dayMs } from "@whence/protocol";
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
let addresses = 0;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const right = "correct horse battery";

/** From another address each time, as an attacker with many of them does. */
function signIn(email: string, password: string, cookie = "") {
  addresses += 1;
  return service.app.inject({
    method: "POST",
    url: "/api/auth/sign-in/email",
    remoteAddress: `198.51.${addresses >> 8}.${addresses & 255}`,
    headers: { cookie },
    payload: { email, password },
  });
}

async function guess(email: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < times; attempt += 1) statuses.push((await signIn(email, "a guess")).statusCode);
  return statuses;
}

/** Guesses as often as it is let, and says how long each refusal asks to wait. */
async function delays(email: string, guesses: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let count = 0; count < guesses; count += 1) {
    await signIn(email, "a guess");
    const refused = await signIn(email, "a guess");
    const wait = Number(refused.headers["retry-after"] ?? 0);
    seconds.push(wait);
    service.clock.now += wait * 1_000;
  }
  return seconds;
}

describe("guessing the password of one account from many addresses", () => {
  it("is rejected with 429 after five attempts, even with the right password, until the delay is over", async () => {
    const email = "guessed@acme.example";
    await signInMember(service, acme.id, email, "member");
    expect(await guess(email, 6)).toEqual([401, 401, 401, 401, 401, 429]);
    const refused = await signIn(email, right);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect(refused.json()).toMatchObject({
      code: "WHENCE_ERR_SIGN_IN_DELAYED",
      detail: expect.stringContaining("try again in 1 seconds, or set a new password"),
    });
    service.clock.now += 1_000;
    expect((await signIn(email, right)).statusCode).toBe(200);
  });

  it("waits twice as long after each further guess, five minutes at most, and starts over a day later", async () => {
    const email = "patient@acme.example";
    await signInMember(service, acme.id, email, "member");
    await guess(email, 4);
    expect(await delays(email, 12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    service.clock.now += dayMs;
    expect(await guess(email, 6)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it("is counted before the password is checked, so that concurrent guesses gain nothing", async () => {
    const email = "at-once@acme.example";
    await signInMember(service, acme.id, email, "member");
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email, "a guess")));
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15);
  });

  it("gets the same response whether or not the account exists, in whatever case it is written", async () => {
    const [known, unknown] = ["known@acme.example", "unknown@acme.example"];
    await signInMember(service, acme.id, known, "member");
    await guess(known, 5);
    await guess(unknown, 5);
    const [first, second] = [
      await signIn(known.toUpperCase(), "a guess"),
      await signIn(unknown.toUpperCase(), "a guess"),
    ];
    expect([first.statusCode, first.body]).toEqual([second.statusCode, second.body]);
    expect(first.statusCode).toBe(429);
  });

  it("doesn't lock out a browser that signed in to the account before", async () => {
    const email = "owner@acme.example";
    const signedIn = await signIn(email, right);
    const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join("; ");
    expect(signedIn.cookies).toContainEqual(
      expect.objectContaining({ name: "whence-known-device", httpOnly: true, secure: true, sameSite: "Lax" }),
    );
    await guess(email, 6);
    expect((await signIn(email, right)).statusCode).toBe(429);
    expect((await signIn(email, right, cookie)).statusCode).toBe(200);
    expect((await signIn(email, right)).statusCode).toBe(429);
    const others = "somebody.else@acme.example";
    await signInMember(service, acme.id, others, "member");
    await guess(others, 6);
    expect((await signIn(others, right, cookie)).statusCode).toBe(429);
  });

  it("doesn't lock out a person who sets a new password by the link in a mail", async () => {
    const email = "forgot@acme.example";
    await signInMember(service, acme.id, email, "member");
    await guess(email, 6);
    const post = (path: string, payload: object) =>
      service.app.inject({ method: "POST", url: `/api/auth${path}`, payload });
    const mailsBefore = service.mails.length;
    await post("/request-password-reset", { email });
    await expect.poll(() => service.mails.length).toBe(mailsBefore + 1);
    const token = /token=([\w-]+)/.exec(service.mails.at(-1)?.text ?? "")?.[1];
    expect((await post("/reset-password", { token, newPassword: "another long password" })).statusCode).toBe(200);
    expect((await signIn(email, "another long password")).statusCode).toBe(200);
  });

  it("is limited for someone who holds a session and guesses the password by changing it", async () => {
    const cookie = await signInMember(service, acme.id, "session@acme.example", "member");
    const payload = { currentPassword: "a guess", newPassword: "another long password" };
    const change = () =>
      service.app.inject({ method: "POST", url: "/api/auth/change-password", headers: { cookie }, payload });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await change()).statusCode);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });
});
