import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../test-service.ts";

let postgres: PostgresServer;
let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  postgres = await startPostgres();
  service = await startTestService({}, false, { postgres: { url: await postgres.database() } });
  acme = await makeOrganization(service, "acme");
});
afterAll(async () => {
  await service.close();
  await postgres.stop();
});

const ask = (url: string, headers: Record<string, string>, method: "GET" | "POST" = "GET", payload?: object) =>
  service.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });

describe("while the event store is down", () => {
  it("routes that need it answer 503 with Retry-After, and others keep working", async () => {
    await service.events.close();
    const answer = await ask("/api/deliveries", { "x-api-key": acme.key });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.json()).toEqual({
      detail: "the service cannot do this now: try again in 5 seconds",
      code: "WHENCE_ERR_EVENTS_UNAVAILABLE",
    });
    expect((await ask("/api/incidents", { "x-api-key": acme.key })).statusCode).toBe(200);
  });
});

describe("while the control database is down", () => {
  it("every route that needs it answers 503 with Retry-After, with a key and with a session", async () => {
    const [key, session] = [{ "x-api-key": acme.key }, { cookie: acme.cookie }];
    const credentials = { email: "owner@acme.example", password: "correct horse battery" };
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    await postgres.restart("fast", async () => {
      answers.push(
        await ask("/api/incidents", key),
        await ask("/api/incidents", session),
        await ask("/api/organization", session),
        await ask("/api/mcp/analyze", key, "POST", { error_log: "E" }),
        await ask("/api/agents/register", {}, "POST", { source: "a" }),
        await ask("/api/auth/get-session", session),
        await ask("/api/auth/sign-in/email", {}, "POST", credentials),
        await ask("/api/session", session),
      );
    });
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 503));
    for (const { headers, body } of answers) {
      expect(headers["retry-after"]).toBe("5");
      expect(body).toContain("try again in 5 seconds");
      // Where the database is, and what it says, stays private.
      expect(body).not.toContain("127.0.0.1");
    }
    expect(answers[0]?.json().code).toBe("WHENCE_ERR_CONTROL_UNAVAILABLE");
    await expect.poll(async () => (await ask("/api/incidents", session)).statusCode).toBe(200);
  });
});
