import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../stored-event.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../test-service.ts";

let service: TestService;
let mine: TestOrganization;
let other: TestOrganization;
let incidentId: string;
let keyId: string;

beforeAll(async () => {
  service = await startTestService();
  // The store forgets what is too old by its own clock.
  service.clock.now = Date.now();
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
  const at = now.toISOString();
  const occurrence = {
    ...{ fingerprint: "v1:1", service: "s", env: "STAGING", eventId: "e", events: 1, firstAt: at, lastAt: at, now },
  };
  const window = { ms: 1, start: 0, count: 1, before: 0, peak: 0 };
  const receivedAt = now.toISOString();
  await service.events.insert([storedEvent(mine.id, { instance: "the secret of mine", receivedAt })]);
  await service.control.organizations.configure(mine.id, {
    retentionDays: 77,
    eventsPerDay: 7_777,
    inputBytesMax: null,
  });
  await service.control.scope(mine.id).failures.decide(occurrence, () => ({
    title: "Error: the secret of mine",
    history: { events: 1, minutes: 1, release: "", openedAt: null, putOff: null, window },
    decision: { outcome: "skipped", rule: "env-not-monitored", reason: "" },
  }));
});
afterAll(() => service.close());

const credentials = (who: TestOrganization): [string, Record<string, string>][] => [
  ["key", { "x-api-key": who.key }],
  ["session", { cookie: who.cookie }],
];

type Method = "GET" | "PUT" | "POST" | "DELETE";
const call = (method: Method, url: string, headers: Record<string, string>) =>
  service.app.inject({ method, url, headers, ...(method in bodies ? { payload: bodies[method] } : {}) });
const bodies: Partial<Record<Method, object>> = {
  PUT: { settings: { retention_days: null, events_per_day: 1, input_bytes_max: null } },
  POST: { verdict: "right" },
};

/** Every route that reads or changes what belongs to an organization. A new one belongs here. */
const routes = (): [Method, string][] => [
  ["GET", "/api/incidents"],
  ["GET", `/api/incidents/${incidentId}`],
  ["GET", `/api/incidents/${incidentId}/events`],
  ["GET", `/api/incidents/${incidentId}/telemetry`],
  ["POST", `/api/incidents/${incidentId}/rerun`],
  ["GET", "/api/incidents/facets"],
  ["POST", `/api/incidents/${incidentId}/feedback`],
  ["GET", "/api/accuracy"],
  ["GET", "/api/failures"],
  ["GET", "/api/deliveries"],
  ["GET", "/api/deliveries?instance=the+secret+of+mine"],
  ["GET", "/api/organization"],
  ["PUT", "/api/organization"],
  ["GET", "/api/keys"],
  ["DELETE", `/api/keys/${keyId}`],
  ["GET", "/api/account/export"],
  ["GET", "/api/organization/export"],
  ["DELETE", `/api/incidents/${incidentId}`],
  ["DELETE", "/api/services/orders"],
];

describe("another organization's key or session", () => {
  // requirement: auth.organization-from-key
  it("sees nothing of mine on any route", async () => {
    for (const [method, url] of routes()) {
      for (const [, headers] of credentials(other)) {
        const answer = await call(method, url, headers);
        expect(answer.body, `${method} ${url}`).not.toMatch(/secret of mine|7777/);
        // A key deletes no incident, its own organization's included.
        const refused = method === "DELETE" && "x-api-key" in headers ? 401 : 404;
        if (url.includes(incidentId)) expect([refused], `${method} ${url}`).toContain(answer.statusCode);
      }
    }
    expect((await service.control.keys.list(mine.id))[0]?.revokedAt).toBeNull();
    const settings = await service.control.organizations.settings(mine.id);
    expect(settings).toEqual({ retentionDays: 77, eventsPerDay: 7_777, inputBytesMax: null });
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
      expect((await call("GET", "/api/deliveries", headers)).body).toContain("secret of mine");
    }
  });
});

describe("an unclaimed agent's key", () => {
  it("sees nothing of any organization", async () => {
    const registered = await service.app.inject({
      method: "POST",
      url: "/api/agents/register",
      payload: { source: "a" },
    });
    const headers = { "x-api-key": registered.json().api_key };
    for (const [method, url] of routes()) {
      expect((await call(method, url, headers)).body, `${method} ${url}`).not.toMatch(/secret of mine|7777/);
    }
    expect((await call("GET", "/api/deliveries", headers)).json()).toEqual({ deliveries: [] });
  });
});

describe("nobody's request", () => {
  it("is refused by every route", async () => {
    for (const [method, url] of [...routes(), ["DELETE", "/api/organization/data"] as const]) {
      const answer = await call(method, url, {});
      expect([401], `${method} ${url}`).toContain(answer.statusCode);
      expect(answer.body).not.toContain("secret of mine");
    }
  });
});
