import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cloudflare } from "../../src/cloudflare/integration.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";
import { itKeepsRefusals } from "../integrations/refusals.ts";

const inputs = { api_key: "cfk_key-of-acme", account_email: "ops@acme.example" };
const { signal } = new AbortController();

let vendor: VendorServer;
let connection: VendorConnection;

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = cloudflare.connect(inputs, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

const account = { id: "acc1", name: "Acme" };
const zones = [
  { id: "z2", name: "other.example", account },
  { id: "z1", name: "example.com", account },
];

/** As https://developers.cloudflare.com/api/resources/accounts/subresources/logs/subresources/audit/methods/list/ shows one. */
const entry = (more: object = {}) => ({
  ...{ id: "f174be97", account, zone: { id: "z1", name: "example.com" } },
  action: { description: "Update DNS record", result: "success", time: "2026-03-01T11:50:00Z", type: "update" },
  actor: { id: "u1", context: "dash", email: "ada@acme.example", ip_address: "198.51.100.4", type: "user" },
  raw: { cf_ray_id: "8e8dd", method: "PATCH", status_code: 200, uri: "/zones/z1/dns_records/r1" },
  resource: {
    ...{ id: "r1", product: "dns", type: "record", scope: "zones", request: { content: "192.0.2.9" } },
    response: { result: { name: "payments.example.com", type: "A", content: "192.0.2.9" } },
  },
  ...more,
});

const rule = entry({
  action: { description: "Create ruleset", result: "failure", time: "2026-03-01T11:55:00Z", type: "create" },
  actor: { context: "api_token", token_name: "terraform", type: "account" },
  ...{ raw: { uri: "/zones/z1/rulesets" }, resource: { product: "waf", type: "ruleset" } },
});

interface Account {
  readonly entries?: readonly object[];
  readonly traffic?: VendorAnswerOf;
  readonly audit?: VendorAnswerOf;
  readonly seen?: typeof zones;
}

function answerWith({ entries = [], traffic, audit, seen = zones }: Account): void {
  vendor.answer(({ url: { pathname } }) => {
    if (pathname === "/client/v4/zones") return { body: { success: true, result: seen } };
    if (pathname === "/client/v4/accounts/acc1/logs/audit")
      return audit ?? { body: { success: true, result: entries, result_info: { count: 1, cursor: "" } } };
    if (pathname === "/client/v4/graphql")
      return traffic ?? { body: { data: null, errors: [{ message: "not authorized" }] } };
    return { status: 404 };
  });
}

const askedFor = (path: string) => vendor.requests.filter(({ url }) => url.pathname === `/client/v4${path}`);

describe("Cloudflare", () => {
  it("returns changes to DNS and the firewall, those of the called hosts' zones first", async () => {
    const far = entry({
      zone: { name: "other.example" },
      resource: { product: "dns", type: "zone" },
      raw: { uri: "/zones/z2/dnssec" },
    });
    answerWith({ entries: [far, entry(), rule] });
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{ kind: "change-event", what: "dns", vendor: "Cloudflare", target: "payments.example.com", failed: false },
        ...{
          title: "update A record payments.example.com",
          at: "2026-03-01T11:50:00Z",
          by: "ada@acme.example",
          url: "https://dash.cloudflare.com/acc1/audit-log",
        },
      },
      expect.objectContaining({ what: "firewall", title: "create Create ruleset", by: "terraform", failed: true }),
      expect.objectContaining({ what: "dns", target: "other.example" }),
    ]);
    expect(Object.fromEntries(askedFor("/accounts/acc1/logs/audit")[0]?.url.searchParams ?? [])).toEqual({
      ...{ since: question.from, before: question.to, direction: "desc", "action_type.not": "view", limit: "100" },
    });
  });

  it("leaves out the content of DNS records, views, and what doesn't concern zones", async () => {
    const viewed = entry({ action: { time: "2026-03-01T11:50:00Z", type: "view" } });
    const member = entry({ resource: { product: "members", type: "member" }, raw: { uri: "/accounts/acc1/members" } });
    answerWith({ entries: [viewed, member, entry()] });
    const found = await connection.ask(question, signal);
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toContain("192.0.2.9");
  });

  it.each([
    ["/zones/z1/settings/ssl", "configuration"],
    ["/zones/z1/firewall/rules", "firewall"],
    ["/zones/z1/rate_limits", "firewall"],
    ["/accounts/acc1/load_balancers/pools/p1", "configuration"],
  ])("classifies a change of %s as %s", async (uri, what) => {
    answerWith({ entries: [entry({ raw: { uri }, resource: {} })] });
    expect(await connection.ask(question, signal)).toMatchObject([{ what, target: "example.com" }]);
  });

  it("returns failed responses for the called hosts, by the origin's status", async () => {
    const group = (count: number, originResponseStatus: number, datetimeMinute: string) => {
      const dimensions = {
        clientRequestHTTPHost: "payments.example.com",
        edgeResponseStatus: 522,
        originResponseStatus,
        datetimeMinute,
      };
      return { count, dimensions };
    };
    const groups = [
      group(40, 0, "2026-03-01T11:58:00Z"),
      group(2, 0, "2026-03-01T11:59:00Z"),
      group(1, 503, "2026-03-01T11:30:00Z"),
    ];
    const traffic = "https://dash.cloudflare.com/acc1/example.com/analytics/traffic";
    answerWith({
      traffic: { body: { data: { viewer: { zones: [{ httpRequestsAdaptiveGroups: groups }] } }, errors: null } },
    });
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{
          kind: "log",
          vendor: "Cloudflare",
          level: "error",
          count: 42,
          source: "payments.example.com",
          url: traffic,
        },
        ...{ message: "Cloudflare answered 522: the origin didn't answer", at: "2026-03-01T11:59:00Z" },
      },
      expect.objectContaining({ message: "Cloudflare answered 522: the origin answered 503", count: 1 }),
    ]);
    const { variables } = JSON.parse(askedFor("/graphql")[0]?.body ?? "");
    expect(variables).toMatchObject({
      zones: ["z1"],
      filter: {
        datetime_geq: question.from,
        datetime_lt: question.to,
        clientRequestHTTPHost_in: ["payments.example.com"],
      },
    });
  });

  it("links to the traffic of the zone that is nearest to the host", async () => {
    const dimensions = {
      ...{ clientRequestHTTPHost: "payments.example.com", edgeResponseStatus: 522, originResponseStatus: 0 },
      datetimeMinute: "2026-03-01T11:58:00Z",
    };
    const groups = [{ count: 40, dimensions }];
    answerWith({
      traffic: { body: { data: { viewer: { zones: [{ httpRequestsAdaptiveGroups: groups }] } }, errors: null } },
      seen: [...zones, { id: "z3", name: "payments.example.com", account: { id: "acc2", name: "Payments" } }],
    });
    expect(await connection.ask(question, signal)).toMatchObject([
      { url: "https://dash.cloudflare.com/acc2/payments.example.com/analytics/traffic" },
    ]);
  });

  it("requests no traffic when no called host is in a zone", async () => {
    answerWith({ entries: [entry()] });
    expect(await connection.ask({ ...question, calledHosts: ["notexample.com"] }, signal)).toHaveLength(1);
    expect(askedFor("/graphql")).toEqual([]);
  });

  it("returns failed responses even without access to the audit log, and fails without access to anything", async () => {
    const traffic = { body: { data: { viewer: { zones: [] } } } };
    answerWith({ audit: { status: 403 }, traffic });
    expect(await connection.ask(question, signal)).toEqual([]);
    answerWith({ audit: { status: 403 }, traffic: { status: 403 } });
    await expect(connection.ask(question, signal)).rejects.toMatchObject({ reason: "forbidden" });
  });

  it("reads five pages of the audit log and no sixth", async () => {
    answerWith({ audit: { body: { result: [entry()], result_info: { cursor: "more" } } } });
    expect(await connection.ask(question, signal)).toHaveLength(5);
    expect(askedFor("/accounts/acc1/logs/audit").map(({ url }) => url.searchParams.get("cursor"))).toEqual([
      ...[null, "more", "more", "more", "more"],
    ]);
  });

  it("is verified with the accounts of the zones that the key sees", async () => {
    answerWith({});
    expect(await connection.verify(signal)).toBe("Acme");
    vendor.answer(() => ({ body: { result: [], result_info: { total_pages: 0 } } }));
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "forbidden" });
  });

  it.each([
    ["a Global API key", "cfk_key", { "x-auth-key": "cfk_key", "x-auth-email": "ops@acme.example" }],
    ["an older Global API key", "0123456789abcdef0123456789abcdef01234", { "x-auth-email": "ops@acme.example" }],
    ["a user's token", "cfut_token", { authorization: "Bearer cfut_token" }],
    ["an account's token", "cfat_token", { authorization: "Bearer cfat_token" }],
    [
      "an older token",
      "YQSn-xWAQiiEh9qM58wZNnyQS7FUdoqGIUAbrh7T",
      { authorization: expect.stringMatching(/^Bearer /) },
    ],
  ])("sends %s in the form it requires", async (_name, key, headers) => {
    answerWith({});
    const other = cloudflare.connect({ ...inputs, api_key: key }, vendor.context);
    await other.verify(signal);
    await other.close();
    expect(vendor.requests[0]?.headers).toMatchObject(headers);
    const others = ["authorization", "x-auth-key"].filter((name) => vendor.requests[0]?.headers[name] !== undefined);
    expect(others).toHaveLength(1);
  });

  itKeepsRefusals({ integration: cloudflare, inputs, limited: { status: 429, headers: { "retry-after": "3600" } } });
});
