import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { datadog } from "../../src/datadog/integration.ts";
import { vendorLimits } from "../../src/http/vendor-limits.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { mostTelling } from "../../src/integrations/most-telling.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";
import { recordedAnswers } from "./recorded-answers.ts";

let vendor: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();
const inputs = { api_key: "key-of-acme", application_key: "application-key-of-acme", region: "eu" };

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = datadog.connect(inputs, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

const logsPath = "/api/v2/logs/events/search";
const eventsPath = "/api/v2/events/search";
const monitorsPath = "/api/v1/monitor/groups/search";
const deploymentsPath = "/api/v2/dora/deployments";

type Answers = Readonly<Record<string, () => VendorAnswerOf>>;

const nothing: Answers = {
  [logsPath]: () => ({ body: { data: [] } }),
  [eventsPath]: () => ({ body: { data: [] } }),
  [monitorsPath]: () => ({ body: { groups: [], metadata: { page: 0, page_count: 0 } } }),
  [deploymentsPath]: () => ({ body: { data: [] } }),
};

const answerWith = (answers: Answers): void =>
  vendor.answer(({ url: { pathname } }) => (answers[pathname] ?? nothing[pathname])?.() ?? { status: 404 });

const requestsTo = (path: string) => vendor.requests.filter(({ url }) => url.pathname === path);

/** With the fields of a recorded event; the recordings have none of a monitor and no change. */
const event = (timestamp: string, attributes: object) => ({
  ...{ type: "event", id: "AgAAAYGCFTWI2hRvPgAA" },
  attributes: { timestamp, tags: [], message: "", attributes: { service: "undefined", ...attributes } },
});

const monitorEvent = (timestamp: string, status: string, more: object = {}) =>
  event(timestamp, { status, monitor_id: 7, monitor_groups: [], monitor: { name: "p95 of orders" }, ...more });

const log = (timestamp: string, message: string, service = "orders") => ({
  ...{ type: "log", id: "AQAAAYAZ" },
  attributes: { timestamp, message, service, host: "orders-7d9f", status: "error", tags: [], attributes: {} },
});

describe("recorded responses of Datadog", () => {
  it("contain log lines, on three pages", async () => {
    answerWith({ [logsPath]: recordedAnswers("search-logs.har") });
    const found = await connection.ask(question, signal);
    const access = { level: "ok", at: "2022-04-11T16:29:47.000Z", source: "05f9b9df-ae45-4c8b-66bf-e24c", count: 1 };
    expect(found).toHaveLength(3);
    expect(found).toContainEqual(expect.objectContaining({ kind: "log", vendor: "Datadog", ...access }));
    const bodies = requestsTo(logsPath).map(({ body }) => JSON.parse(body));
    expect(bodies[0].page).toEqual({ limit: 100 });
    expect(bodies[1].page).toEqual({ limit: 100, cursor: expect.stringMatching(/^eyJhZnRlci/) });
    expect(bodies).toHaveLength(3);
  });

  it("contain each monitor in alert once, since its first group triggered", async () => {
    answerWith({ [monitorsPath]: recordedAnswers("search-monitor-groups.har") });
    const found = await connection.ask(question, signal);
    expect(found).toHaveLength(7);
    expect(found[0]).toMatchObject({ kind: "problem", what: "alarm", since: "2022-01-05T23:43:45.000Z", until: null });
    expect(found[0]).toMatchObject({ title: expect.stringMatching(/ \(aws:us-east-2\)$/), target: null });
    expect(found[0]?.url).toMatch(/^https:\/\/app\.datadoghq\.eu\/monitors\/\d+$/);
    expect(requestsTo(monitorsPath)).toHaveLength(vendorLimits.pagesMax);
  });

  it("contribute no events that are neither changes nor problems", async () => {
    answerWith({ [eventsPath]: recordedAnswers("search-events.har") });
    expect(await connection.ask(question, signal)).toEqual([]);
    expect(requestsTo(eventsPath)).toHaveLength(3);
  });

  it("contain deployments", async () => {
    answerWith({ [deploymentsPath]: recordedAnswers("list-deployments.har") });
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{ kind: "change-event", what: "deployment", vendor: "Datadog", title: "v1.12.07 to production" },
        ...{
          target: "shopist",
          at: "2023-08-31T14:26:24Z",
          by: null,
          failed: null,
          url: "https://app.datadoghq.eu/ci/dora",
        },
      },
    ]);
  });
});

describe("Datadog", () => {
  it("links log lines and events to their explorers, over the span, and alarms to their monitor", async () => {
    answerWith({
      [logsPath]: () => ({ body: { data: [log("2026-03-01T11:59:00Z", "declined")] } }),
      [eventsPath]: () => ({
        body: {
          data: [
            event("2026-03-01T11:50:00Z", { title: "Pool resized", evt: { category: "change" } }),
            monitorEvent("2026-03-01T11:55:00Z", "error"),
          ],
        },
      }),
    });
    const urls = (await connection.ask(question, signal)).map(({ url }) => url ?? "");
    const span = { from_ts: String(Date.parse(question.from)), to_ts: String(Date.parse(question.to)), live: "false" };
    const queryOf = (path: string) => JSON.parse(requestsTo(path)[0]?.body ?? "").filter.query;
    const shown = (path: string) => new URLSearchParams({ query: queryOf(path), ...span });
    expect(urls).toEqual([
      `https://app.datadoghq.eu/event/explorer?${shown(eventsPath)}`,
      "https://app.datadoghq.eu/monitors/7",
      `https://app.datadoghq.eu/logs?${shown(logsPath)}`,
    ]);
  });

  it("is queried for the span, the service, its host, and the hosts that it called", async () => {
    answerWith({});
    await connection.ask({ ...question, service: 'Or"ders' }, signal);
    const [asked] = requestsTo(logsPath);
    const { filter } = JSON.parse(asked?.body ?? "");
    expect(filter).toMatchObject({ from: question.from, to: question.to });
    expect(filter.query).toBe(
      '(service:"Or\\"ders" OR service:"or\\"ders" OR host:"orders-7d9f" OR host:"payments.example.com") ' +
        "status:(emergency OR alert OR critical OR error OR warn)",
    );
    expect(asked?.headers).toMatchObject({
      "dd-api-key": inputs.api_key,
      "dd-application-key": inputs.application_key,
    });
    expect(JSON.parse(requestsTo(deploymentsPath)[0]?.body ?? "").data.attributes).toMatchObject({
      from: question.from,
    });
  });

  it.each([
    ["us1", "https://api.datadoghq.com"],
    ["us3", "https://api.us3.datadoghq.com"],
    ["us5", "https://api.us5.datadoghq.com"],
    ["eu", "https://api.datadoghq.eu"],
    ["ap1", "https://api.ap1.datadoghq.com"],
  ])("of %s is at %s", async (region, address) => {
    const documented: string[] = [];
    const addressOf = (url: string): string => {
      documented.push(url);
      return vendor.url;
    };
    await datadog.connect({ ...inputs, region }, { ...vendor.context, addressOf }).close();
    expect(documented).toEqual([address]);
  });

  it("ends an alarm with its recovery, and doesn't repeat that a monitor is in alert", async () => {
    const events = [
      monitorEvent("2026-03-01T11:50:00Z", "success"),
      monitorEvent("2026-03-01T11:40:00Z", "error"),
      monitorEvent("2026-03-01T11:30:00Z", "success", { monitor_id: 8, duration: 600_000_000_000 }),
      monitorEvent("2026-03-01T11:20:00Z", "error", { monitor_id: 9 }),
    ];
    const group = {
      monitor_id: 9,
      monitor_name: "disk",
      group: "*",
      status: "Alert",
      last_triggered_ts: 1_772_363_000,
    };
    answerWith({
      [eventsPath]: () => ({ body: { data: events } }),
      [monitorsPath]: () => ({ body: { groups: [group], metadata: { page_count: 1 } } }),
    });
    const found = mostTelling(await connection.ask(question, signal), question);
    expect(found.map((finding) => finding.kind === "problem" && [finding.since, finding.until])).toEqual([
      ["2026-03-01T11:40:00Z", "2026-03-01T11:50:00Z"],
      ["2026-03-01T11:20:00.000Z", "2026-03-01T11:30:00Z"],
      ["2026-03-01T11:03:20.000Z", null],
    ]);
  });

  it("leaves out monitors that alerted after the span", async () => {
    const at = (seconds: number) => ({
      ...{ monitor_id: seconds, monitor_name: "disk", group: "*", status: "Alert", last_triggered_ts: seconds },
    });
    const end = Date.parse(question.to) / 1_000;
    const body = { groups: [at(end), at(end + 1)], metadata: { page_count: 1 } };
    answerWith({ [monitorsPath]: () => ({ body }) });
    expect(await connection.ask(question, signal)).toMatchObject([{ since: question.to }]);
  });

  it("classifies changes by what they concern", async () => {
    const changed = { name: "checkout-v2", type: "feature_flag" };
    const events = [
      event("2026-03-01T11:59:00Z", {
        title: "fallback enabled",
        evt: { category: "change" },
        changed_resource: changed,
      }),
      event("2026-03-01T11:58:00Z", { title: "Pool resized", evt: { category: "change" }, author: { name: "ada" } }),
      event("2026-03-01T11:57:00Z", { title: "Deployed 2.0.0", status: "info", service: "orders" }),
      event("2026-03-01T11:56:00Z", { title: "Disk is slow", status: "warning", hostname: "orders-7d9f" }),
    ];
    answerWith({ [eventsPath]: () => ({ body: { data: events } }) });
    expect(mostTelling(await connection.ask(question, signal), question)).toMatchObject([
      { what: "deployment", title: "Deployed 2.0.0", target: "orders" },
      { kind: "log", level: "warning", message: "Disk is slow", source: "orders-7d9f" },
      { what: "feature-flag", title: "fallback enabled", target: "checkout-v2", by: null },
      { what: "configuration", title: "Pool resized", target: null, by: "ada" },
    ]);
  });

  it.each([
    [4, "another page", 5],
    [5, "no more", 5],
  ])("reads, after %i pages, %s", async (pages, _, asked) => {
    const more = () => (requestsTo(logsPath).length <= pages ? { meta: { page: { after: "cursor" } } } : {});
    answerWith({ [logsPath]: () => ({ body: { data: [log(question.at, "refused")], ...more() } }) });
    expect(await connection.ask(question, signal)).toMatchObject([{ message: "refused", count: 5 }]);
    expect(requestsTo(logsPath)).toHaveLength(asked);
  });

  it("returns what the key may read, and the reason when it may read nothing", async () => {
    const forbidden = () => ({ status: 403, body: { errors: ["Forbidden"] } });
    answerWith({
      [deploymentsPath]: forbidden,
      [logsPath]: () => ({ body: { data: [log("2026-03-01T11:59:00.000Z", "refused")] } }),
    });
    expect(await connection.ask(question, signal)).toMatchObject([{ kind: "log", message: "refused" }]);
    vendor.answer(forbidden);
    await expect(connection.ask(question, signal)).rejects.toMatchObject({ reason: "forbidden" });
  });

  it("is verified by a search that needs both keys", async () => {
    answerWith({});
    expect(await connection.verify(signal)).toBe("Datadog EU");
    vendor.answer(() => ({ status: 401, body: { errors: ["Unauthorized"] } }));
    const failure = await connection.verify(signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "unauthorized" });
    expect(String(failure)).not.toMatch(/key-of-acme/);
  });

  it("says in its own header how long a rate-limited key has to wait", async () => {
    vendor.answer(() => ({ status: 429, headers: { "x-ratelimit-reset": "28" } }));
    await expect(connection.ask(question, signal)).rejects.toMatchObject({
      reason: "rate-limited",
      retryAfterMs: 28_000,
    });
  });
});
