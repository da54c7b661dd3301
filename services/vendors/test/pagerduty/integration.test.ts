import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { vendorLimits } from "../../src/http/vendor-limits.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { mostTelling } from "../../src/integrations/most-telling.ts";
import { pagerDuty } from "../../src/pagerduty/integration.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let us: VendorServer;
let eu: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();

beforeEach(async () => {
  [us, eu] = await Promise.all([startVendorServer(), startVendorServer()]);
  const addressOf = (url: string): string => (url === "https://api.eu.pagerduty.com" ? eu.url : us.url);
  connection = pagerDuty.connect({ api_key: "key-of-acme" }, { ...us.context, addressOf });
});
afterEach(async () => {
  await connection.close();
  await Promise.all([us.close(), eu.close()]);
});

/** As the example of `GET /incidents` in PagerDuty's schema. */
const incident = (id: string, created_at: string, more: object = {}) => ({
  ...{ id, type: "incident", summary: "[#1234] The server is on fire.", incident_number: 1234 },
  ...{ html_url: `https://acme.pagerduty.com/incidents/${id}`, title: "The server is on fire.", created_at },
  ...{ status: "triggered", resolved_at: null, last_status_change_at: created_at, urgency: "high" },
  service: { id: "PIJ90N7", type: "service_reference", summary: "My Mail Service" },
  escalation_policy: { id: "PT20YPA", type: "escalation_policy_reference", summary: "Another Escalation Policy" },
  ...more,
});

/** As the example of `GET /change_events`, whose services have no name. */
const change = {
  ...{ id: "01BBYA6PEVW6A852BUO6QYUE7O", timestamp: "2026-03-01T11:58:00Z", type: "change_event" },
  ...{ summary: "Build Success - Increase snapshot create timeout to 30 seconds", source: "acme-build-pipeline" },
  services: [{ id: "PORDERS", type: "service_reference" }],
  links: [{ href: "https://acme.pagerduty.dev/build/2", text: "View more details in Acme!" }],
};

const orders = {
  ...{ id: "PORDERS", type: "service", summary: "Orders API", name: "Orders API", status: "active" },
  escalation_policy: { id: "PPOLICY", type: "escalation_policy_reference", summary: "Payments" },
};

const onCall = (name: string, escalation_level: number) => ({
  user: {
    ...{ id: `P${name}`, type: "user", summary: name, html_url: `https://acme.pagerduty.com/users/${name}` },
    ...{ name, email: `${name.toLowerCase()}@acme.example` },
  },
  escalation_policy: { id: "PPOLICY", type: "escalation_policy_reference", summary: "Payments" },
  ...{ schedule: null, escalation_level, start: null, end: null },
});

const user = {
  ...{ id: "P1", type: "user", summary: "Ada", html_url: "https://acme.pagerduty.com/users/P1" },
  ...{ name: "Ada", email: "ada@acme.example" },
};

type Answers = Readonly<Record<string, (query: URLSearchParams) => VendorAnswerOf>>;

const nothing: Answers = {
  "/users": () => ({ body: { users: [user], more: false } }),
  "/services": () => ({ body: { services: [], more: false } }),
  "/incidents": () => ({ body: { incidents: [], more: false } }),
  "/change_events": () => ({ body: { change_events: [], limit: null, offset: null, more: false } }),
  "/oncalls": () => ({ body: { oncalls: [], more: false } }),
};

const answerWith = (answers: Answers): void =>
  us.answer(({ url }) => (answers[url.pathname] ?? nothing[url.pathname])?.(url.searchParams) ?? { status: 404 });

const requestsTo = (path: string) => us.requests.filter(({ url }) => url.pathname === path);

describe("PagerDuty", () => {
  it("returns incidents, changes of the failing service, and who is on call for it", async () => {
    answerWith({
      "/services": () => ({ body: { services: [orders] } }),
      "/incidents": (query) => ({ body: { incidents: query.has("since") ? [incident("P1", question.at)] : [] } }),
      "/change_events": () => ({ body: { change_events: [change] } }),
      "/oncalls": () => ({ body: { oncalls: [onCall("Grace", 2), onCall("Ada", 1), onCall("Ada", 1)] } }),
    });
    expect(mostTelling(await connection.ask(question, signal), question)).toEqual([
      {
        ...{
          kind: "change-event",
          what: "deployment",
          vendor: "PagerDuty",
          title: change.summary,
          target: "Orders API",
        },
        ...{ at: change.timestamp, by: null, failed: null, url: "https://acme.pagerduty.dev/build/2" },
      },
      ...["Ada", "Grace"].map((name) => ({
        ...{ kind: "record", what: "on-call", vendor: "PagerDuty", title: name, target: "Payments" },
        ...{ at: null, url: `https://acme.pagerduty.com/users/${name}`, email: `${name.toLowerCase()}@acme.example` },
      })),
      {
        ...{ kind: "problem", what: "incident", vendor: "PagerDuty", title: "The server is on fire." },
        ...{ target: "My Mail Service", since: question.at, until: null },
        url: "https://acme.pagerduty.com/incidents/P1",
      },
    ]);
    const [onCalls] = requestsTo("/oncalls");
    expect(onCalls?.url.searchParams.getAll("escalation_policy_ids[]")).toEqual(["PPOLICY", "PT20YPA"]);
    expect(onCalls?.url.searchParams.get("include[]")).toBe("users");
    expect(onCalls?.headers).toMatchObject({
      ...{ authorization: "Token token=key-of-acme", accept: "application/vnd.pagerduty+json;version=2" },
    });
  });

  it("is queried for the span, in whole seconds where fractions are rejected", async () => {
    answerWith({});
    expect(await connection.ask(question, signal)).toEqual([]);
    expect(requestsTo("/oncalls")).toEqual([]);
    const [changes] = requestsTo("/change_events");
    expect(changes?.url.search).toBe(
      "?since=2026-03-01T11%3A00%3A00Z&until=2026-03-01T12%3A05%3A00Z&limit=100&offset=0",
    );
    const within = requestsTo("/incidents").find(({ url }) => url.searchParams.has("since"));
    expect(within?.url.searchParams.get("until")).toBe(question.to);
  });

  it("returns an open incident that began long ago once, and none that began after the span", async () => {
    const resolved = incident("P2", "2026-03-01T11:30:00Z", {
      status: "resolved",
      resolved_at: "2026-03-01T11:45:00Z",
    });
    const within = [incident("P1", question.at), resolved];
    const open = [
      incident("P1", question.at),
      incident("P3", "2026-02-01T00:00:00Z"),
      incident("P4", "2026-03-01T12:05:01Z"),
    ];
    answerWith({ "/incidents": (query) => ({ body: { incidents: query.has("since") ? within : open } }) });
    expect(await connection.ask(question, signal)).toMatchObject([
      { since: question.at, until: null },
      { since: "2026-03-01T11:30:00Z", until: "2026-03-01T11:45:00Z" },
      { since: "2026-02-01T00:00:00Z", until: null },
    ]);
  });

  it.each([
    [0, 1],
    [4, 5],
    [5, 5],
  ])("reads, of a list with %i further pages, %i pages", async (further, read) => {
    answerWith({
      "/change_events": (query) => {
        const offset = Number(query.get("offset"));
        return { body: { change_events: [change], more: offset / 100 < further } };
      },
    });
    expect(await connection.ask(question, signal)).toHaveLength(read);
    expect(read).toBeLessThanOrEqual(vendorLimits.pagesMax);
  });

  it("is queried in the European region when that one knows the key", async () => {
    us.answer(() => ({ status: 401, body: { error: { code: 2006, message: "You shall not pass." } } }));
    eu.answer(({ url }) =>
      url.pathname === "/users"
        ? { body: { users: [{ ...user, html_url: "https://acme.eu.pagerduty.com/users/P1" }] } }
        : (nothing[url.pathname]?.(url.searchParams) ?? { status: 404 }),
    );
    expect(await connection.verify(signal)).toBe("acme.eu.pagerduty.com");
    expect(await connection.ask(question, signal)).toEqual([]);
    expect(us.requests.every(({ url }) => url.pathname === "/users")).toBe(true);
  });

  it("is verified by the account that the key belongs to", async () => {
    answerWith({});
    expect(await connection.verify(signal)).toBe("acme.pagerduty.com");
  });

  it.each([
    [401, {}, { reason: "unauthorized" }],
    [403, {}, { reason: "forbidden" }],
    [429, { "ratelimit-reset": "40" }, { reason: "rate-limited", retryAfterMs: 40_000 }],
    [500, {}, { reason: "unavailable" }],
  ])("that answers with %i fails without the key in the message", async (status, headers, expected) => {
    for (const region of [us, eu]) region.answer(() => ({ status, headers, body: "key-of-acme" }));
    const failure = await connection.ask(question, signal).catch((error: unknown) => error);
    expect(failure).toMatchObject(expected);
    expect(String(failure)).not.toContain("key-of-acme");
  });

  it("returns the incidents even when change events can't be read", async () => {
    answerWith({
      "/incidents": (query) => ({ body: { incidents: query.has("since") ? [incident("P1", question.at)] : [] } }),
      "/change_events": () => ({ status: 403 }),
      "/services": () => ({ status: 403 }),
    });
    expect(await connection.ask(question, signal)).toMatchObject([{ kind: "problem" }]);
  });
});
