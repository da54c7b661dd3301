import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { mostTelling } from "../../src/integrations/most-telling.ts";
import { newRelic } from "../../src/new-relic/integration.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let vendor: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = newRelic.connect({ user_api_key: "NRAK-of-acme", region: "US" }, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

const askedSchema = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()) });
const asked = (index: number) => askedSchema.parse(JSON.parse(vendor.requests[index]?.body ?? "{}"));

const oneAccount = [{ id: 1, name: "Acme" }];
type Rows = Readonly<Record<string, readonly object[] | null>>;

/** As https://docs.newrelic.com/docs/apis/nerdgraph/examples/nerdgraph-nrql-tutorial/ shows an answer. */
function answerWith(
  rows: Rows,
  { accounts = oneAccount, entities = [] as readonly object[], errors = [] as readonly object[] } = {},
): void {
  vendor.answer(({ body }) => {
    if (body.includes("accounts { id name }")) {
      return { body: { data: { actor: { accounts, entitySearch: { results: { entities } } } } } };
    }
    const results = Object.entries(rows).map(([name, found]) => [name, found === null ? null : { results: found }]);
    return { body: { data: { actor: Object.fromEntries(results) }, ...(errors.length > 0 ? { errors } : {}) } };
  });
}

const at = (time: string): number => Date.parse(`2026-03-01T${time}Z`);

describe("New Relic", () => {
  it("returns changes, errors, transactions, and log lines, similar ones once", async () => {
    const error = {
      "error.class": "TypeError",
      "error.message": "x is undefined",
      appName: "orders",
      entityGuid: "MXxBUE0=",
    };
    const request = {
      name: "WebTransaction/Expressjs/GET//orders",
      appName: "orders",
      error: true,
      entityGuid: "MXxBUE0=",
    };
    answerWith({
      deployments: [
        {
          timestamp: at("11:50:00"),
          version: "2.0.0",
          user: "ada",
          "entity.name": "orders",
          "entity.guid": "MXxBUE0=",
        },
      ],
      changes: [
        {
          timestamp: at("11:40:00"),
          category: "Feature Flag",
          type: "Basic",
          featureFlagId: "fast-path",
          user: "grace",
        },
      ],
      errors: [
        { timestamp: at("11:59:00"), ...error },
        { timestamp: at("11:58:00"), ...error },
      ],
      transactions: [
        { timestamp: at("11:59:30"), duration: 0.25, ...request },
        { timestamp: at("11:57:00"), duration: 9.04, ...request },
        { timestamp: at("11:56:00"), duration: 6, ...request, error: false },
      ],
      logs: [
        {
          ...{ timestamp: at("11:59:00"), message: "refused", level: "ERROR" },
          ...{ "service.name": "orders", hostname: null, "entity.guid": "MXxBUE0=" },
        },
      ],
    });
    const entity = "https://one.newrelic.com/redirect/entity/MXxBUE0%3D";
    expect(mostTelling(await connection.ask(question, signal), question)).toEqual([
      {
        ...{ kind: "change-event", what: "deployment", vendor: "New Relic", title: "2.0.0", target: "orders" },
        ...{ at: "2026-03-01T11:50:00.000Z", by: "ada", failed: null, url: entity },
      },
      {
        ...{ kind: "problem", what: "failing-requests", vendor: "New Relic", target: "orders", url: entity },
        title: "WebTransaction/Expressjs/GET//orders: 2, up to 9.0 s",
        ...{ since: "2026-03-01T11:57:00.000Z", until: "2026-03-01T11:59:30.000Z" },
      },
      expect.objectContaining({ what: "slow-requests", title: "WebTransaction/Expressjs/GET//orders: 1, up to 6.0 s" }),
      {
        ...{ kind: "record", what: "error-group", vendor: "New Relic", target: "orders", url: entity },
        ...{ title: "TypeError: x is undefined (2 times)", at: "2026-03-01T11:59:00.000Z" },
      },
      {
        ...{ kind: "log", vendor: "New Relic", level: "error", message: "refused", source: "orders" },
        ...{ at: "2026-03-01T11:59:00.000Z", count: 1, url: entity },
      },
      expect.objectContaining({ what: "feature-flag", title: "fast-path", target: null, by: "grace", url: null }),
    ]);
  });

  it("sends five limited queries in one request, about the span, the service, and the hosts", async () => {
    answerWith({});
    expect(await connection.ask({ ...question, service: "O'rders" }, signal)).toEqual([]);
    expect(vendor.requests).toHaveLength(2);
    expect(vendor.requests.map(({ url }) => url.pathname)).toEqual(["/graphql", "/graphql"]);
    expect(vendor.requests[0]?.headers["api-key"]).toBe("NRAK-of-acme");
    const { query, variables } = asked(1);
    expect(
      query.match(/nrql\(accounts: \$accounts, options: \{\}, query: \$\w+, timeout: 4\) \{ results \}/g),
    ).toHaveLength(5);
    const { accounts, ...queries } = variables;
    expect(accounts).toEqual([1]);
    for (const nrql of Object.values(queries)) {
      expect(nrql).toMatch(new RegExp(` SINCE ${at("11:00:00")} UNTIL ${at("12:05:00")} LIMIT 200$`));
    }
    expect(queries.errors).toContain(
      "(lower(appName) LIKE '%o\\'rders%' OR host IN ('orders-7d9f', 'payments.example.com'))",
    );
    expect(asked(0).variables).toEqual({ search: "name LIKE 'O\\'rders'" });
  });

  it.each([5, 6])("of %i accounts queries at most five, those with the service first", async (count) => {
    const accounts = Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Acme ${index + 1}` }));
    answerWith({}, { accounts, entities: [{ accountId: count, name: "orders" }] });
    await connection.ask(question, signal);
    expect(asked(1).variables.accounts).toEqual([count, 1, 2, 3, 4]);
  });

  it.each([
    ["Deployment", "deployment"],
    ["DEPLOYMENT", "deployment"],
    ["Deployment Lifecycle", "release"],
    ["FEATURE_FLAG", "feature-flag"],
    ["Operational", "configuration"],
  ])("classifies a change of the category %s as %s", async (category, what) => {
    answerWith({ changes: [{ timestamp: at("11:40:00"), category, type: "Other", shortDescription: "changed" }] });
    expect(await connection.ask(question, signal)).toMatchObject([{ kind: "change-event", what, title: "changed" }]);
  });

  it("returns what was answered even when another query failed", async () => {
    const errors = [{ message: "NRDB timeout", path: ["actor", "logs"], extensions: { errorClass: "TIMEOUT" } }];
    answerWith({ deployments: [{ timestamp: at("11:50:00"), version: "2.0.0" }], logs: null }, { errors });
    expect(await connection.ask(question, signal)).toMatchObject([{ what: "deployment" }]);
  });

  it.each([
    ["TOO_MANY_REQUESTS", "rate-limited"],
    ["TIMEOUT", "too-slow"],
    ["UNAUTHORIZED", "forbidden"],
    ["SERVER_ERROR", "unexpected-answer"],
  ])("fails for an error of the class %s when nothing was answered", async (errorClass, reason) => {
    answerWith({ logs: null }, { errors: [{ message: "NRAK-of-acme", extensions: { errorClass } }] });
    const failure = await connection.ask(question, signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason });
    expect(String(failure)).not.toContain("NRAK-of-acme");
  });

  it.each([
    [[{ id: 1, name: "Acme" }], "Acme"],
    [
      [
        { id: 1, name: "Acme" },
        { id: 2, name: "Acme EU" },
      ],
      "Acme and 1 more",
    ],
  ])("is verified by the accounts that the key reads", async (accounts, name) => {
    answerWith({}, { accounts });
    expect(await connection.verify(signal)).toBe(name);
  });

  it("isn't verified by a key that is unknown or reads no account", async () => {
    vendor.answer(() => ({ status: 401, body: { errors: [{ message: "Invalid API key" }] } }));
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "unauthorized" });
    answerWith({}, { accounts: [] });
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "forbidden" });
  });

  it.each([
    ["US", "https://api.newrelic.com"],
    ["EU", "https://api.eu.newrelic.com"],
  ])("of %s is at %s", async (region, address) => {
    const documented: string[] = [];
    const addressOf = (url: string): string => {
      documented.push(url);
      return vendor.url;
    };
    await newRelic.connect({ user_api_key: "NRAK-of-acme", region }, { ...vendor.context, addressOf }).close();
    expect(documented).toEqual([address]);
  });
});
