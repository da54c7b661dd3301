import { type KeyScope, keyScopes } from "@whence/protocol";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireStatedAccess } from "../../src/http/access.ts";
import {
  addKey,
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";
import { bodies, everyRoute, nameOf, type Route } from "./openapi/every-route.ts";

let service: TestService;
let acme: TestOrganization;
let keys: Readonly<Record<KeyScope, string>>;
let routes: readonly Route[];

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  const made = await Promise.all(
    keyScopes.map(async (scope) => [scope, await addKey(service, acme.id, scope)] as const),
  );
  keys = Object.fromEntries(made) as Record<KeyScope, string>;
  routes = await everyRoute(service);
});
afterAll(() => service.close());

const call = (route: Route, headers: Record<string, string>) =>
  service.app.inject({
    method: route.method,
    url: route.url.replace(":kind", "uptime").replaceAll(/:\w+/g, "inc_unknown"),
    headers,
    ...(route.method === "GET" || route.method === "DELETE" ? {} : { payload: bodies[nameOf(route)] ?? {} }),
  });

const analyze = async (key: string): Promise<string> => {
  const headers = { "x-api-key": key };
  const url = "/api/mcp/analyze";
  return (await service.app.inject({ method: "POST", url, headers, payload: { error_log: "Error: boom" } })).json()
    .incident_id;
};

describe("every route", () => {
  it("states who may use it", () => {
    expect(routes.length).toBeGreaterThan(50);
    expect(routes.filter(({ access }) => access === undefined)).toEqual([]);
  });

  it("is rejected by the router when it doesn't", () => {
    const app = Fastify();
    requireStatedAccess(app);
    expect(() => app.get("/api/secrets", async () => "all of them")).toThrow("GET /api/secrets states no access");
  });

  it.each(keyScopes)(
    "accepts a key of scope %s when it states that scope, and answers 403 otherwise",
    async (scope) => {
      for (const route of routes) {
        const { access } = route;
        if (access === undefined || access.by === "anyone") continue;
        const answer = await call(route, { "x-api-key": keys[scope] });
        const name = nameOf(route);
        if (access.by === "member" || access.by === "owner") {
          expect(answer.statusCode, name).toBe(401);
        } else if (scope === "full" || access.scopes.includes(scope)) {
          expect([200, 404], name).toContain(answer.statusCode);
        } else {
          expect(answer.statusCode, name).toBe(403);
          expect(answer.json().code, name).toBe("WHENCE_ERR_KEY_SCOPE");
        }
      }
    },
  );

  it("rejects a member where it states owners, and a stranger where it states members", async () => {
    const member = await signInMember(service, acme.id, "member@acme.example", "member");
    for (const route of routes.filter(({ access }) => access?.by === "owner" || access?.by === "key or owner")) {
      const answer = await call(route, { cookie: member });
      expect(answer.statusCode, nameOf(route)).toBe(403);
    }
    for (const route of routes.filter(({ access }) => access?.by === "member" || access?.by === "owner")) {
      const answer = await call(route, {});
      expect(answer.statusCode, nameOf(route)).toBe(401);
    }
  });

  it("says which scope it takes, and how to get a key for it", async () => {
    const answer = await service.app.inject({ url: "/api/services", headers: { "x-api-key": keys.send } });
    expect(answer.json()).toEqual({
      code: "WHENCE_ERR_KEY_SCOPE",
      detail:
        "this needs an API key with the scope read or full, and this one has send: an owner can make one under Settings → API keys",
    });
  });
});

describe("a key that sends telemetry", () => {
  it("reads nothing, including other processes' IDs, with which it could report their end", async () => {
    const answered = routes.filter(({ access }) => access && "scopes" in access && access.scopes.includes("send"));
    expect(answered.map(({ url }) => url)).toEqual(["/api/agents/status"]);
    const deliveries = await service.app.inject({ url: "/api/deliveries", headers: { "x-api-key": keys.send } });
    expect(deliveries.statusCode).toBe(403);
  });
});

describe("a key that analyzes", () => {
  it("reads, rates and runs its own analyses again, and sees no other key's", async () => {
    const [mine, other] = [await analyze(keys.analyze), await analyze(keys.full)];
    for (const path of ["", "/reports"]) {
      const read = (id: string) =>
        service.app.inject({ url: `/api/incidents/${id}${path}`, headers: { "x-api-key": keys.analyze } });
      expect((await read(mine)).statusCode).toBe(200);
      expect((await read(other)).json().code).toBe("WHENCE_ERR_INCIDENT_UNKNOWN");
    }
    const change = async (id: string, path: string, payload: object) => {
      const url = `/api/incidents/${id}/${path}`;
      const headers = { "x-api-key": keys.analyze };
      return (await service.app.inject({ method: "POST", url, headers, payload })).json().code;
    };
    expect(await change(mine, "feedback", { verdict: "right" })).toBe("WHENCE_ERR_REPORT_MISSING");
    expect(await change(other, "feedback", { verdict: "right" })).toBe("WHENCE_ERR_INCIDENT_UNKNOWN");
    expect(await change(mine, "rerun", {})).toBe("WHENCE_ERR_INCIDENT_UNDER_WAY");
    expect(await change(other, "rerun", {})).toBe("WHENCE_ERR_INCIDENT_UNKNOWN");
    expect(await change(other, "questions", { question: "why?" })).toBe("WHENCE_ERR_INCIDENT_UNKNOWN");
    const stream = await service.app.inject({
      url: `/api/incidents/${other}/events`,
      headers: { "x-api-key": keys.analyze },
    });
    expect(stream.statusCode).toBe(404);
  });
});

describe("a key that reads", () => {
  it("sees every incident of its organization, and changes nothing", async () => {
    const id = await analyze(keys.full);
    const headers = { "x-api-key": keys.read };
    expect((await service.app.inject({ url: `/api/incidents/${id}`, headers })).statusCode).toBe(200);
    const posted = routes.filter(
      ({ method, access }) => method !== "GET" && access && "scopes" in access && access.scopes.includes("read"),
    );
    // A question is answered, and nothing of it is kept.
    expect(posted.map(nameOf)).toEqual(["POST /api/incidents/:id/questions"]);
  });
});
