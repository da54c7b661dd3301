import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../test-service.ts";

let service: TestService;
let mine: TestOrganization;
let other: TestOrganization;
let incidentId: string;
let keyId: string;

beforeAll(async () => {
  service = await startTestService();
  mine = await makeOrganization(service, "mine");
  other = await makeOrganization(service, "other");
  const answer = await service.app.inject({
    method: "POST",
    url: "/api/mcp/analyze",
    headers: { "x-api-key": mine.key },
    payload: { error_log: "Error: the secret of mine" },
  });
  incidentId = answer.json().incident_id;
  keyId = (await service.control.keys.list(mine.id))[0]?.id ?? "";
  const now = new Date(service.clock.now);
  const occurrence = { fingerprint: "v1:1", service: "s", env: "STAGING", eventId: "e", at: now.toISOString(), now };
  await service.control.scope(mine.id).failures.decide(occurrence, () => ({
    title: "Error: the secret of mine",
    decision: { outcome: "skipped", rule: "env-not-monitored", reason: "" },
  }));
});
afterAll(() => service.close());

const credentials = (who: TestOrganization): [string, Record<string, string>][] => [
  ["key", { "x-api-key": who.key }],
  ["session", { cookie: who.cookie }],
];

type Method = "GET" | "POST" | "DELETE";
const call = (method: Method, url: string, headers: Record<string, string>) =>
  service.app.inject({ method, url, headers });

/** Every route that reads or changes what belongs to an organization. A new one belongs here. */
const routes = (): [Method, string][] => [
  ["GET", "/api/incidents"],
  ["GET", `/api/incidents/${incidentId}`],
  ["GET", `/api/incidents/${incidentId}/events`],
  ["GET", "/api/failures"],
  ["GET", "/api/keys"],
  ["DELETE", `/api/keys/${keyId}`],
  ["GET", "/"],
  ["GET", `/incidents/${incidentId}`],
];

describe("another organization's key or session", () => {
  // requirement: auth.organization-from-key
  it("sees nothing of mine on any route", async () => {
    for (const [method, url] of routes()) {
      for (const [, headers] of credentials(other)) {
        const answer = await call(method, url, headers);
        expect(answer.body, `${method} ${url}`).not.toContain("secret of mine");
        if (url.includes(incidentId)) expect([302, 404], `${method} ${url}`).toContain(answer.statusCode);
      }
    }
    expect((await service.control.keys.list(mine.id))[0]?.revokedAt).toBeNull();
  });

  it("gets for my incident what it gets for one that never was", async () => {
    for (const [, headers] of credentials(other)) {
      const foreign = await call("GET", `/api/incidents/${incidentId}`, headers);
      const absent = await call("GET", "/api/incidents/inc_absent", headers);
      expect(foreign.statusCode).toBe(404);
      expect(foreign.body.replaceAll(incidentId, "inc_absent")).toBe(absent.body);
    }
  });
});

describe("my own key and session", () => {
  it("see it", async () => {
    for (const [, headers] of credentials(mine)) {
      expect((await call("GET", "/api/incidents", headers)).body).toContain("secret of mine");
      expect((await call("GET", `/api/incidents/${incidentId}`, headers)).statusCode).toBe(200);
      expect((await call("GET", "/api/failures", headers)).body).toContain("secret of mine");
    }
  });
});

describe("nobody's request", () => {
  it("is refused by every route", async () => {
    for (const [method, url] of routes()) {
      const answer = await call(method, url, {});
      expect([401, 302], `${method} ${url}`).toContain(answer.statusCode);
      expect(answer.body).not.toContain("secret of mine");
    }
  });
});
