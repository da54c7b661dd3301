import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

const attemptsMax = 3;

let service: TestService;
let acme: TestOrganization;
let port: number;

beforeAll(async () => {
  service = await startTestService({ signInPerMinutePerAddress: attemptsMax });
  acme = await makeOrganization(service, "acme");
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  port = (service.app.server.address() as AddressInfo).port;
});
afterAll(() => service.close());

/** Each test has an address of its own, and so all its attempts. */
function fromAnotherAddress(): void {
  lastAddress += 1;
}
let lastAddress = 0;

/** A request whose path and headers no client library has tidied up. */
function post(path: string, headers: Record<string, string> = {}): Promise<number> {
  // Another account each time: attempts are counted by account, too.
  const body = JSON.stringify({ email: `person${lastAddress}@acme.example`, password: "wrong password" });
  const localAddress = `127.0.1.${lastAddress}`;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: "127.0.0.1", port, path, method: "POST", localAddress, setHost: !("host" in headers) },
        headers: { "content-type": "application/json", ...headers },
      },
      (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.once("error", reject);
    sent.end(body);
  });
}

describe("an attempt to sign in", () => {
  it("counts with any spelling of its path", async () => {
    fromAnotherAddress();
    const spellings = [
      "/api/auth/a/../sign-in/email",
      "/api/auth/./sign-in/email",
      "/api/auth/a/%2e%2e/sign-in/email",
      "/api/auth/sign%2din/email",
      "/api/auth/\\sign-in/email",
      "http://elsewhere.example/api/auth/sign-in/email",
    ];
    const statuses: number[] = [];
    for (const path of spellings) statuses.push(await post(path));
    expect(statuses.slice(0, attemptsMax)).toEqual(Array.from({ length: attemptsMax }, () => 404));
    expect(statuses.slice(attemptsMax)).toEqual(spellings.slice(attemptsMax).map(() => 429));
  });

  it.each([
    ["/api/auth/a/../sign-in/email"],
    ["/api/auth/a/%2E%2e/sign-in/email"],
    ["/api/auth//sign-in/email"],
    ["/api/auth/sign-in/email/../email"],
    ["http://elsewhere.example/api/auth/sign-in/email"],
  ])("doesn't count under a path that a URL parser reads as another: %s", async (path) => {
    fromAnotherAddress();
    expect(await post(path)).toBe(404);
  });

  it.each(["h/api/auth/sign-in/email?", "a b%", "a@b", "[", "elsewhere.example"])(
    "goes where its path says, whatever its Host header is: %s",
    async (host) => {
      fromAnotherAddress();
      expect(await post("/api/auth/nothing-here", { host })).toBe(404);
      expect(await post("/api/auth/sign-in/email", { host })).toBe(401);
    },
  );

  it("is accepted from the page of whatever host it was sent to, and from no other", async () => {
    fromAnotherAddress();
    expect(await post("/api/auth/sign-in/email", { host: "here.example", origin: "http://here.example" })).toBe(401);
    expect(await post("/api/auth/sign-in/email", { host: "here.example", origin: "http://evil.example" })).toBe(403);
    expect(await post("/api/auth/sign-in/email", { host: "here.example", origin: "null" })).toBe(403);
  });
});

describe("an owner", () => {
  const ask = (path: string, payload: object) => {
    const headers = { cookie: acme.cookie, host: "here.example", origin: "http://here.example" };
    const remoteAddress = `10.0.2.${lastAddress}`;
    return service.app.inject({
      method: "POST",
      url: `/api/auth/organization/${path}`,
      headers,
      payload,
      remoteAddress,
    });
  };

  it("can't delete the organization, or change the slug that the service finds it by", async () => {
    fromAnotherAddress();
    expect((await ask("delete", { organizationId: acme.id })).statusCode).toBe(404);
    for (const slug of ["renamed", "acme"]) {
      const refused = await ask("update", { organizationId: acme.id, data: { slug, name: "Renamed" } });
      expect(refused.statusCode).toBe(403);
    }
    const now = new Date(service.clock.now);
    expect(await service.control.organizations.ensure({ slug: "acme", name: "acme", now })).toEqual({
      id: acme.id,
      created: false,
    });
  });

  it("may rename the organization", async () => {
    fromAnotherAddress();
    expect((await ask("update", { organizationId: acme.id, data: { name: "Acme, Inc." } })).statusCode).toBe(200);
    const { body } = await service.app.inject({ url: "/api/organization", headers: { cookie: acme.cookie } });
    expect(JSON.parse(body)).toMatchObject({ id: acme.id, name: "Acme, Inc." });
  });
});

describe("a session", () => {
  it("is ended by the page of the host that it was sent to", async () => {
    const headers = { cookie: acme.cookie, host: "here.example", origin: "http://here.example" };
    const ended = await service.app.inject({ method: "POST", url: "/api/auth/sign-out", headers });
    expect(ended.statusCode).toBe(200);
    expect((await service.app.inject({ url: "/api/keys", headers })).statusCode).toBe(401);
  });
});
