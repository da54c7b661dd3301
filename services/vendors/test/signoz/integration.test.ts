import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { vendorLimits } from "../../src/http/vendor-limits.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { signoz } from "../../src/signoz/integration.ts";
import { type ReceivedRequest, startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let vendor: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = signoz.connect({ instance_url: vendor.url, api_key: "key-of-acme" }, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

/** As SigNoz's own tests/integration/tests/querierlogs/01_list.py expects one. */
const log = (body: unknown, more: object = {}) => ({
  timestamp: "2026-03-01T11:59:59Z",
  data: {
    ...{ id: "1", timestamp: 1772366399000000000, body, severity_text: "ERROR", severity_number: 17, trace_id: "" },
    ...{ resources_string: { "service.name": "payments" }, attributes_string: {}, attributes_number: {}, ...more },
  },
});

const span = (more: object) => ({
  timestamp: "2026-03-01T11:59:58Z",
  data: { trace_id: "4bf92f", span_id: "1", name: "GET /orders/:id", "service.name": "orders", ...more },
});

const alert = (state: string, startsAt: string, labels: object = {}) => ({
  ...{ labels: { alertname: "High error rate", ...labels }, annotations: { summary: "5%" }, fingerprint: "f" },
  ...{ startsAt, endsAt: "0001-01-01T00:00:00Z", generatorURL: "", receivers: [], status: { state, silencedBy: [] } },
});

interface Has {
  readonly logs?: readonly object[];
  readonly spans?: readonly object[];
  readonly alerts?: readonly object[] | null;
}

function answerWith({ logs = [], spans = [], alerts = [] }: Has, status: Readonly<Record<string, number>> = {}): void {
  vendor.answer((request) => {
    const { pathname } = request.url;
    if (status[pathname] !== undefined) return { status: status[pathname] };
    if (pathname === "/api/v1/alerts") return { body: { status: "success", data: alerts } };
    if (pathname === "/api/v2/orgs/me") return { body: { status: "success", data: { id: "1", displayName: "Acme" } } };
    const { signal: of, offset, limit } = specOf(request);
    const rows = (of === "logs" ? logs : spans).slice(offset, offset + limit);
    const data = { type: "raw", data: { results: [{ queryName: "A", nextCursor: "", rows }] }, meta: {} };
    return { body: { status: "success", data } };
  });
}

function specOf({ body }: ReceivedRequest) {
  return JSON.parse(body).compositeQuery.queries[0].spec;
}

const queries = () => vendor.requests.filter(({ url }) => url.pathname === "/api/v5/query_range");
const isOfLogs = (expression: string): boolean => expression.startsWith("(severity_number");
const expressions = (): readonly string[] => queries().map((request) => specOf(request).filter.expression);

describe("SigNoz", () => {
  it("reports firing alerts, failed spans, and error logs, equal ones counted", async () => {
    answerWith({
      alerts: [
        alert("active", "2026-03-01T11:50:00Z", { "service.name": "orders" }),
        alert("suppressed", "2026-03-01T11:50:00Z"),
        alert("active", "2026-03-01T12:05:01Z"),
      ],
      spans: [span({ status_message: "boom" }), span({ response_status_code: "500" }), span({})],
      logs: [log("charge 17 failed", { attributes_string: { "exception.message": "declined" } }), log("charge 16")],
    });
    const trace = `${vendor.url}/trace/4bf92f`;
    const shown = expect.stringContaining(`${vendor.url}/logs/logs-explorer?`);
    expect(await connection.ask(question, signal)).toMatchObject([
      { kind: "problem", what: "alarm", title: "High error rate: 5%", target: "orders", until: null },
      { kind: "log", message: "GET /orders/:id failed: boom", source: "orders", level: "error", url: trace },
      { kind: "log", message: "GET /orders/:id failed: status 500" },
      { kind: "log", message: "GET /orders/:id failed" },
      { kind: "log", message: "charge 17 failed: declined", source: "payments", level: "error", count: 1, url: shown },
      { kind: "log", message: "charge 16" },
    ]);
    expect(vendor.requests[0]?.headers["signoz-api-key"]).toBe("key-of-acme");
  });

  it("links to the rule of an alert, and to the alerts without one", async () => {
    const since = "2026-03-01T11:50:00Z";
    answerWith({ alerts: [alert("active", since, { ruleId: "019c 2e1e" }), alert("active", since)] });
    const found = await connection.ask(question, signal);
    expect(found.map(({ url }) => url)).toEqual([`${vendor.url}/alerts/edit?ruleId=019c+2e1e`, `${vendor.url}/alerts`]);
  });

  it("links log lines to the query that found them, over the span of the failure", async () => {
    answerWith({ logs: [log("declined")] });
    const [line] = await connection.ask(question, signal);
    const { searchParams } = new URL(line?.url ?? "");
    expect(searchParams.get("startTime")).toBe(String(Date.parse(question.from)));
    expect(searchParams.get("endTime")).toBe(String(Date.parse(question.to)));
    const shown = JSON.parse(decodeURIComponent(searchParams.get("compositeQuery") ?? ""));
    expect(shown.builder.queryData).toEqual([
      expect.objectContaining({ dataSource: "logs", filter: { expression: expressions().find(isOfLogs) } }),
    ]);
  });

  it("queries the span of the failure, the failing service, and those it called", async () => {
    answerWith({});
    expect(await connection.ask(question, signal)).toEqual([]);
    const services = "(service.name = 'orders' OR service.name ILIKE '%payments%')";
    expect(expressions().toSorted()).toEqual([
      expect.stringMatching(/^\(severity_number >= 17 OR \(severity_number = 0 AND \(body ILIKE '%error%' OR /),
      `has_error = true AND ${services}`,
    ]);
    expect(expressions().every((expression) => expression.endsWith(services))).toBe(true);
    const [start, end] = [question.from, question.to].map(Date.parse);
    expect(JSON.parse(queries()[0]?.body ?? "")).toMatchObject({ start, end, requestType: "raw" });
  });

  it("can't be made to leave the filter by a service's name", async () => {
    answerWith({});
    await connection.ask({ ...question, service: "a' OR 1=1 \\", calledHosts: [] }, signal);
    expect(expressions()).toContain(String.raw`has_error = true AND (service.name = 'a\' OR 1=1 \\')`);
  });

  it.each([
    [99, 1],
    [100, 2],
    [1000, vendorLimits.pagesMax],
  ])("reads %i error logs in %i pages", async (count, pages) => {
    answerWith({ logs: Array.from({ length: count }, () => log("declined")) });
    const found = await connection.ask(question, signal);
    expect(found).toMatchObject([{ message: "declined", count: Math.min(count, pages * 100) }]);
    expect(queries().filter((request) => specOf(request).signal === "logs")).toHaveLength(pages);
  });

  it("reads a body that is an object, and results without rows", async () => {
    answerWith({ logs: [log({ msg: "declined", level: "error" }, { severity_text: "" })], alerts: null });
    expect(await connection.ask(question, signal)).toMatchObject([{ message: "declined", level: "error" }]);
    vendor.answer(() => ({ body: { status: "success", data: { data: { results: [{ rows: null }] } } } }));
    expect(await connection.ask(question, signal)).toEqual([]);
  });

  it("reports what it may read, and fails when it may read nothing", async () => {
    answerWith({ logs: [log("declined")] }, { "/api/v1/alerts": 403 });
    expect(await connection.ask(question, signal)).toMatchObject([{ message: "declined" }]);
    vendor.answer(() => ({ status: 403 }));
    await expect(connection.ask(question, signal)).rejects.toMatchObject({ reason: "forbidden" });
  });

  it("is verified by reading logs, with the organization's name, or the host when the key may not read that", async () => {
    answerWith({});
    expect(await connection.verify(signal)).toBe("Acme");
    answerWith({}, { "/api/v2/orgs/me": 403 });
    expect(await connection.verify(signal)).toBe(new URL(vendor.url).host);
    vendor.answer(() => ({ status: 401, body: { status: "error", error: { message: "key-of-acme" } } }));
    const failure = await connection.verify(signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "unauthorized" });
    expect(String(failure)).not.toContain("key-of-acme");
  });
});
