import { Writable } from "node:stream";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../test-service.ts";

const password = "correct horse battery";
let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService({}, true);
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

/** The analyzer's routes with everything that they log, and without what the server logs of each request. */
async function logging() {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const app = Fastify({ logger: { level: "trace", stream, serializers: { req: () => ({}) } } });
  await service.mount(app);
  return { app, text: () => text };
}

describe("the logs of the routes", () => {
  it("contain no key, token, cookie, or password, whatever goes wrong", async () => {
    const { app, text } = await logging();
    const registered = await app.inject({ method: "POST", url: "/api/agents/register", payload: { source: "a" } });
    const { api_key: agentKey, claim_token: claim } = registered.json();
    const email = "owner@acme.example";
    const made = await app.inject({
      ...{ method: "POST", url: "/api/keys", headers: { cookie: acme.cookie }, payload: { name: "n", scope: "send" } },
    });
    const requests = [
      { url: "/api/incidents", headers: { "x-api-key": acme.key } },
      { url: "/api/incidents", headers: { "x-api-key": `${acme.key}x`, authorization: "Bearer in-the-header" } },
      { url: `/login?claim=${claim}`, headers: { cookie: acme.cookie } },
      { url: `/setup?token=${service.setup.token}` },
      { url: `/api/setup?token=${service.setup.token}` },
      { url: `/api/nothing?key=${agentKey}` },
      { url: `/api/auth/get-session?key=${agentKey}`, headers: { cookie: acme.cookie } },
      { method: "POST", url: "/api/setup", payload: { token: service.setup.token, name: "n", email, password } },
      { method: "POST", url: "/api/auth/sign-in/email", payload: { email, password } },
      { method: "POST", url: "/api/auth/sign-in/email", payload: { email, password: `${password}!` } },
      { method: "POST", url: "/api/auth/sign-up/email", payload: { name: "n", email, password } },
      { method: "POST", url: "/api/agents/claim", headers: { cookie: acme.cookie }, payload: { claim_token: claim } },
      { method: "POST", url: "/api/agents/claim", headers: { cookie: acme.cookie }, payload: { claim_token: 1 } },
      { method: "POST", url: "/api/mcp/analyze", headers: { "x-api-key": agentKey }, payload: { error_log: 1 } },
      {
        method: "PUT",
        url: "/api/organization",
        headers: { cookie: acme.cookie },
        payload: {
          settings: {
            retention_days: null,
            events_per_day: 5,
            input_bytes_max: null,
            plain_users: false,
            passwords_off: false,
          },
        },
      },
    ] as const;
    for (const request of requests) await app.inject(request);
    const cookieValue = acme.cookie.split("=").at(-1) ?? "";
    expect(text()).toContain("an owner changed the organization's settings");
    for (const secret of [
      acme.key,
      agentKey,
      claim,
      service.setup.token,
      made.json().api_key,
      password,
      "in-the-header",
      cookieValue,
    ]) {
      expect(secret.length).toBeGreaterThan(8);
      expect(text()).not.toContain(secret);
    }
    await app.close();
  });

  it("contain no secret even when everything they depend on fails", async () => {
    const { app, text } = await logging();
    await service.events.close();
    const answer = await app.inject({ url: "/api/deliveries", headers: { "x-api-key": acme.key } });
    expect(answer.statusCode).toBe(503);
    expect(text()).toContain("WHENCE_ERR_EVENTS_UNAVAILABLE");
    expect(text()).not.toContain(acme.key);
    await app.close();
  });
});
