import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../stored-event.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../test-service.ts";
import { bodies, everyRoute, nameOf, type Route } from "./openapi/every-route.ts";

let service: TestService;
let mine: TestOrganization;
let other: TestOrganization;
let incidentId: string;
let keyId: string;
let agentId: string;
let claimToken: string;
let ruleId: string;
let sourceId: string;
let monitorId: string;
let runId: string;
/** Those that need credentials, the ones that delete last. */
let routes: readonly Route[];

const secretOfMine = /secret of mine/;
const name = "the secret of mine";

beforeAll(async () => {
  service = await startTestService();
  const found = (await everyRoute(service)).filter(({ access }) => access?.by !== "anyone");
  routes = [...found.filter(({ method }) => method !== "DELETE"), ...found.filter(({ method }) => method === "DELETE")];
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
    ...{
      fingerprint: "v1:1",
      service: "s",
      env: "STAGING",
      release: "",
      eventId: "e",
      events: 1,
      firstAt: at,
      lastAt: at,
      now,
    },
  };
  const window = { ms: 1, start: 0, count: 1, before: 0, peak: 0 };
  const receivedAt = now.toISOString();
  await service.events.insert([storedEvent(mine.id, { instance: "the secret of mine", receivedAt })]);
  await service.control.organizations.configure(mine.id, {
    retentionDays: 77,
    eventsPerDay: 7_777,
    inputBytesMax: null,
    plainUsers: false,
    passwordsOff: false,
  });
  await service.control.scope(mine.id).failures.decide(occurrence, () => ({
    title: "Error: the secret of mine",
    history: { events: 1, minutes: 1, release: "", releases: [], openedAt: null, deferred: null, window },
    decision: { outcome: "skipped", rule: "env-not-monitored", reason: "" },
  }));
  await setUpMine();
});
afterAll(() => service.close());

/** What I have, each with a name that no other may see. */
async function setUpMine(): Promise<void> {
  const headers = { cookie: mine.cookie };
  const send = async (method: "POST" | "PUT", url: string, payload: object) => {
    const answer = await service.app.inject({ method, url, payload, headers });
    expect([url, answer.statusCode]).toEqual([url, 200]);
    return answer.json();
  };
  const agent = await send("POST", "/api/agents/register", { source: name });
  [agentId, claimToken] = [agent.agent_id, agent.claim_token];
  await send("POST", "/api/agents/claim", { claim_token: claimToken });
  await send("POST", "/api/keys", { name, scope: "read" });
  const { rule } = await send("POST", "/api/notification-rules", { name, events: ["opened"], emails: ["a@b.example"] });
  ruleId = rule.id;
  ({
    monitor: { id: monitorId },
  } = await send("POST", "/api/monitors", {
    name,
    check: { kind: "check-in", slug: "s", schedule: { type: "interval", minutes: 5 } },
  }));
  ({ id: sourceId } = await send("POST", "/api/alert-sources", { kind: "sentry", name }));
  const asked = { thread: name, requestId: name, how: "mentioned", question: name, author: name } as const;
  const now = new Date(service.clock.now);
  await service.control.scope(mine.id).conversations.ask(sourceId, { ...asked, at: now.toISOString(), place: {} }, now);
  await send("PUT", "/api/instructions", { text: name, version: 0 });
  await send("PUT", "/api/integrations/uptime", { api_token: name });
  await send("PUT", "/api/thresholds", {});
  await send("PUT", "/api/model", { provider: "openai", name: "secret-of-mine", inputs: { api_key: name } });
  const { model } = service.control.scope(mine.id);
  await model.record({
    ...{
      incident_id: incidentId,
      purpose: "investigation",
      provider: "openai",
      name,
      runs: 1,
      input_tokens: 1,
      output_tokens: 1,
      cost_usd: null,
    },
    ...{ started_at: now.toISOString(), duration_ms: 1, outcome: name, replaced: {} },
    prompts: [{ sent_at: now.toISOString(), text: name }],
  });
  runId = (await model.runs({ incidentId, limit: 1 }))[0]?.id ?? "";
}

const credentials = (who: TestOrganization): ["key" | "session", Record<string, string>][] => [
  ["key", { "x-api-key": who.key }],
  ["session", { cookie: who.cookie }],
];

const get = (url: string, headers: Record<string, string>) => service.app.inject({ url, headers });
const call = (route: Route, headers: Record<string, string>) =>
  service.app.inject({
    method: route.method,
    url: urlOfMine(route),
    headers,
    ...(route.method === "GET" || route.method === "DELETE" ? {} : { payload: payloadOfMine(route) }),
  });

/** Names what is mine wherever a route names something. */
function urlOfMine({ url }: Route): string {
  const ids = {
    incidents: incidentId,
    keys: keyId,
    agents: agentId,
    "notification-rules": ruleId,
    "alert-sources": sourceId,
    monitors: monitorId,
    "model/runs": runId,
  };
  return url
    .replace(
      /(?<=^\/api\/(incidents|keys|agents|notification-rules|alert-sources|monitors|model\/runs)\/):id/,
      (_, of: keyof typeof ids) => ids[of],
    )
    .replace(":service", "orders")
    .replace(":release", "1.0.0")
    .replace(":kind", "uptime");
}

function payloadOfMine(route: Route): object {
  return route.url.startsWith("/api/agents/claim") ? { claim_token: claimToken } : (bodies[nameOf(route)] ?? {});
}

/** What another organization gets where it doesn't get what a route names, or what it has itself. */
const otherwise: Readonly<Record<string, number>> = {
  "key: GET /api/agents/status": 404,
  "key: GET /api/services/:service": 404,
  "session: GET /api/services/:service": 404,
  "session: GET /api/agents/status": 422,
  "session: POST /api/mcp/analyze": 422,
  "session: POST /api/releases": 422,
  "session: PUT /api/sources": 422,
  "session: POST /api/sources/contents": 422,
  "session: GET /api/0/organizations/:organization/chunk-upload/": 422,
  "session: POST /api/0/organizations/:organization/chunk-upload/": 422,
  "session: POST /api/0/organizations/:organization/artifactbundle/assemble/": 422,
  "session: POST /api/0/organizations/:organization/releases/": 422,
  "session: PUT /api/0/organizations/:organization/releases/:version/": 422,
  "session: POST /api/0/organizations/:organization/releases/:version/deploys/": 422,
  "session: GET /api/0/organizations/:organization/releases/:version/previous-with-commits/": 422,
  "session: GET /api/0/organizations/:organization/repos/": 422,
  "session: DELETE /api/releases/:service/:release": 404,
  "session: DELETE /api/sources/:service/:release": 404,
  // Uptime is connected by a key, and has no repositories.
  "session: POST /api/integrations/:kind/authorization": 409,
  "session: GET /api/integrations/:kind/authorization/callback": 409,
  "session: PUT /api/integrations/:kind/repositories": 409,
  // Its connection was removed by the route before.
  "session: POST /api/integrations/:kind/name": 404,
  // Its model is at an address that no one allowed.
  "session: POST /api/model/check": 409,
  "session: POST /api/agents/claim": 409,
  "session: POST /api/agents/claim/preview": 409,
  // It would have no owner left.
  "session: DELETE /api/account": 409,
};

function expectedStatus(route: Route, credential: "key" | "session"): number {
  const takesNoKey = route.access?.by === "member" || route.access?.by === "owner";
  if (credential === "key" && takesNoKey) return 401;
  return otherwise[`${credential}: ${nameOf(route)}`] ?? (route.url.includes(":id") ? 404 : 200);
}

/** Every answer that I get by reading, but the stream, which doesn't end, and exports, which are written down. */
async function allThatIsMine(): Promise<Record<string, string>> {
  const readable = routes.filter(({ method, url }) => method === "GET" && !/\/(events|status|export)$/.test(url));
  const answers = await Promise.all(
    readable.map(async (route) => [nameOf(route), (await call(route, { cookie: mine.cookie })).body] as const),
  );
  return Object.fromEntries(answers);
}

describe("every route", () => {
  it("is open to anyone, as these are, or belongs to an organization or a person", async () => {
    const open = (await everyRoute(service)).filter(({ access }) => access?.by === "anyone");
    expect(open.map(nameOf).filter((name) => name.includes("/api/") && !name.includes("/docs/"))).toEqual([
      "POST /api/agents/register",
      "POST /api/shared",
      "POST /api/webhooks/:id",
      "POST /api/webhooks/apps/:kind",
      "POST /api/check-ins/:slug",
      "GET /api/check-ins/:slug",
      "GET /api/sign-in",
      "GET /api/setup",
      "POST /api/setup",
      "GET /api/auth/*",
      "POST /api/auth/*",
    ]);
    expect(routes.length).toBeGreaterThan(45);
  });
});

describe("another organization's key or session", () => {
  it("gets the same response for my incident as for an unknown one", async () => {
    for (const [, headers] of credentials(other)) {
      const foreign = await get(`/api/incidents/${incidentId}`, headers);
      const absent = await get("/api/incidents/inc_absent", headers);
      expect(foreign.statusCode).toBe(404);
      expect(foreign.body.replaceAll(incidentId, "inc_absent")).toBe(absent.body);
    }
  });

  // requirement: auth.organization-from-key
  it("gets only its own data or a refusal from every route, and changes nothing of mine", async () => {
    const before = await allThatIsMine();
    expect(Object.entries(before).filter(([, body]) => secretOfMine.test(body)).length).toBeGreaterThan(10);
    for (const [credential, headers] of credentials(other)) {
      for (const route of routes) {
        const answer = await call(route, headers);
        expect(answer.statusCode, `${credential}: ${nameOf(route)}`).toBe(expectedStatus(route, credential));
        expect(answer.body, `${credential}: ${nameOf(route)}`).not.toMatch(secretOfMine);
      }
    }
    expect(await allThatIsMine()).toEqual(before);
  });
});

describe("my own key and session", () => {
  it("see it", async () => {
    for (const [, headers] of credentials(mine)) {
      expect((await get("/api/incidents", headers)).body).toContain("secret of mine");
      expect((await get(`/api/incidents/${incidentId}`, headers)).statusCode).toBe(200);
      expect((await get("/api/failures", headers)).body).toContain("secret of mine");
      expect((await get("/api/deliveries", headers)).body).toContain("secret of mine");
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
    for (const route of routes) expect((await call(route, headers)).body, nameOf(route)).not.toMatch(secretOfMine);
    expect((await get("/api/deliveries", headers)).json()).toEqual({ deliveries: [] });
  });
});

describe("a request without credentials", () => {
  it("is rejected by every route", async () => {
    for (const route of routes) {
      const answer = await call(route, {});
      expect(answer.statusCode, nameOf(route)).toBe(route.access?.by === "key" ? 422 : 401);
      expect(answer.body).not.toMatch(secretOfMine);
    }
  });
});
