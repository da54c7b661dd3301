import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const get = (url: string, cookie = "") => service.app.inject({ url, headers: { cookie } });
const submit = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
const cookieOf = (headers: object): string =>
  [new Map(Object.entries(headers)).get("set-cookie")]
    .flat()
    .map((line) => String(line).split(";", 1)[0])
    .join("; ");

const person = { name: "Ada", email: "ada@example.com", password: "8 signs." };

describe("the set-up link", () => {
  it("opens nothing with another token or a password of less than 8 characters", async () => {
    const { token, organizationId } = service.setup;
    expect((await submit("/setup", { ...person, token: "wrong", next: "/" })).statusCode).toBe(410);
    expect((await submit("/setup", { ...person, password: "1234567", token, next: "/" })).statusCode).toBe(422);
    expect(await service.control.organizations.isSetUp(organizationId)).toBe(false);
  });

  it("makes whoever opens it first the owner, signed in, and leads on to where it should", async () => {
    const next = "/incidents/inc_1";
    const form = await get(`/setup?token=${service.setup.token}&next=${next}`);
    expect(form.statusCode).toBe(200);
    const done = await submit("/setup", { ...person, token: service.setup.token, next });
    expect(done.statusCode).toBe(303);
    expect(done.headers.location).toBe(next);
    const home = await get("/", cookieOf(done.headers));
    expect(home.statusCode).toBe(200);
    expect(home.body).toContain("Ada · default");
  });

  it("works once", async () => {
    expect((await get(`/setup?token=${service.setup.token}`)).statusCode).toBe(410);
    const again = await submit("/setup", {
      ...person,
      email: "eve@example.com",
      token: service.setup.token,
      next: "/",
    });
    expect(again.statusCode).toBe(410);
  });
});

describe("signing in", () => {
  it("is asked for by every page, which then comes", async () => {
    const page = await get("/incidents/inc_1");
    expect(page.statusCode).toBe(302);
    expect(page.headers.location).toBe("/login?next=%2Fincidents%2Finc_1");
    const done = await submit("/login", { ...person, next: "/incidents/inc_1" });
    expect(done.statusCode).toBe(303);
    expect(done.headers.location).toBe("/incidents/inc_1");
  });

  it("sets a cookie that scripts and other sites do not get", async () => {
    const done = await submit("/login", { ...person, next: "/" });
    expect(String(done.headers["set-cookie"])).toMatch(/HttpOnly/i);
    expect(String(done.headers["set-cookie"])).toMatch(/SameSite=Lax/i);
    expect(String(done.headers["set-cookie"])).toMatch(/Secure/);
  });

  it("refuses a wrong password and an unknown address alike", async () => {
    const wrong = await submit("/login", { ...person, password: "not it, no", next: "/" });
    const unknown = await submit("/login", { ...person, email: "nobody@example.com", next: "/" });
    expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401]);
    expect(wrong.body).toBe(unknown.body);
  });

  it("never leads to another site", async () => {
    const done = await submit("/login", { ...person, next: "//evil.example/" });
    expect(done.headers.location).toBe("/");
  });

  it("is refused when another site sends the form", async () => {
    const refused = await submit("/login", { ...person, next: "/" }, { origin: "https://evil.example" });
    expect(refused.statusCode).toBe(403);
    expect(refused.headers["set-cookie"]).toBeUndefined();
  });

  it("ends with signing out", async () => {
    const cookie = cookieOf((await submit("/login", { ...person, next: "/" })).headers);
    expect((await get("/", cookie)).statusCode).toBe(200);
    expect((await submit("/logout", {}, { cookie })).statusCode).toBe(303);
    expect((await get("/", cookie)).statusCode).toBe(302);
  });
});

describe("the claim URL", () => {
  const register = async () =>
    (await service.app.inject({ method: "POST", url: "/api/agents/register", payload: { source: "ide" } })).json();
  const statusOf = async (key: string) =>
    (await service.app.inject({ url: "/api/agents/status", headers: { "x-api-key": key } })).json();

  // requirement: auth.claim-links-after-login
  it("links the agent to the organization of whoever signs in there, and says so", async () => {
    const agent = await register();
    const url = new URL(agent.claim_url);
    const form = await get(url.pathname + url.search);
    expect(form.body).toContain(agent.claim_token);
    const done = await submit("/login", { ...person, next: "/", claim: agent.claim_token });
    expect(done.statusCode).toBe(200);
    expect(done.body).toContain("The agent is yours");
    expect(await statusOf(agent.api_key)).toMatchObject({
      status: "claimed",
      organization_id: service.setup.organizationId,
    });
  });

  it("asks somebody who is signed in before it claims", async () => {
    const agent = await register();
    const form = await get(`/login?claim=${agent.claim_token}`, acme.cookie);
    expect(form.body).toContain("Claim the agent");
    expect(await statusOf(agent.api_key)).toMatchObject({ status: "unclaimed" });
    const done = await submit("/claim", { claim: agent.claim_token }, { cookie: acme.cookie });
    expect(done.statusCode).toBe(200);
    expect(await statusOf(agent.api_key)).toMatchObject({ organization_id: acme.id });
  });

  it("says plainly what is wrong with a token that is not good any more", async () => {
    const unknown = await submit("/claim", { claim: "whc_x" }, { cookie: acme.cookie });
    expect(unknown.statusCode).toBe(404);
    expect(unknown.body).toContain("no agent has this claim token");
  });
});

describe("every page", () => {
  it("lets browsers say to its own forms where they come from, and to no other site", async () => {
    expect((await get("/login")).headers["referrer-policy"]).toBe("same-origin");
  });

  it("has a strict policy, no script and nothing from elsewhere", async () => {
    for (const url of ["/login", "/"]) {
      const page = await get(url, url === "/" ? acme.cookie : "");
      expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
      expect(page.body).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    }
  });
});
