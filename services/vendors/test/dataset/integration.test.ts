import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dataset } from "../../src/dataset/integration.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let vendor: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = dataset.connect({ api_key: "key-of-acme", instance_url: vendor.url }, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

/** As https://www.scalyr.com/help/api shows one. */
const match = (message: string, more: object = {}) => ({
  ...{ timestamp: "1772366399000000000", message, severity: 5, session: "s1", thread: "main" },
  ...{ attributes: { logfile: "/var/log/app.log" }, ...more },
});

function answerWith(...matches: readonly object[]): void {
  const sessions = { s1: { serverHost: "payments-1", session: "s1" } };
  vendor.answer(() => ({ body: { status: "success", matches, sessions, executionTime: 1, continuationToken: "t" } }));
}

describe("DataSet", () => {
  it("reports equal lines once, by the host that wrote them", async () => {
    answerWith(match("charge 17 failed"), match("charge 16 failed"));
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{ kind: "log", vendor: "DataSet", level: "error", message: "charge 17 failed", source: "payments-1" },
        ...{ at: "2026-03-01T11:59:59.000Z", count: 2, url: expect.stringContaining(`${vendor.url}/events?`) },
      },
    ]);
  });

  it("requests the latest lines of the span, and errors that name the failing service and those it called", async () => {
    answerWith();
    expect(await connection.ask(question, signal)).toEqual([]);
    const [request] = vendor.requests;
    expect(request).toMatchObject({ method: "POST", url: { pathname: "/api/query" } });
    const { filter, ...query } = JSON.parse(request?.body ?? "");
    expect(query).toEqual({
      ...{ token: "key-of-acme", queryType: "log", pageMode: "tail", priority: "low", maxCount: 300 },
      ...{ startTime: String(Date.parse(question.from)), endTime: String(Date.parse(question.to)) },
    });
    expect(filter).toMatch(
      /^\(severity >= 5 or "error" or "exception" or "fatal" or "panic"\) and \(serverHost contains /,
    );
    for (const name of ["orders", "payments", "orders-7d9f"]) expect(filter).toContain(`service contains "${name}"`);
  });

  it("links to the search that found the lines, over the span of the failure", async () => {
    answerWith(match("charge 17 failed"));
    const [line] = await connection.ask(question, signal);
    expect(Object.fromEntries(new URL(line?.url ?? "").searchParams)).toEqual({
      filter: JSON.parse(vendor.requests[0]?.body ?? "").filter,
      startTime: String(Date.parse(question.from)),
      endTime: String(Date.parse(question.to)),
    });
  });

  it("can't be made to leave the filter by a service's name", async () => {
    answerWith();
    await connection.ask({ ...question, service: 'a" or "\\', calledHosts: [], host: "" }, signal);
    expect(JSON.parse(vendor.requests[0]?.body ?? "").filter).toContain('serverHost contains "a or "');
  });

  it("uses a line's own level when DataSet doesn't know it, and the source that it names", async () => {
    answerWith(
      match("2026-03-01 FATAL out of memory", { severity: 3, attributes: { service: "orders" } }),
      match("connection refused", { severity: null, session: null, attributes: null }),
      match("INFO no error", { severity: 3 }),
    );
    expect(await connection.ask(question, signal)).toMatchObject([
      { level: "fatal", source: "orders" },
      { level: null, source: null, message: "connection refused" },
    ]);
  });

  it.each([
    ["error/client/noPermission", "unauthorized"],
    ["error/server/backoff", "rate-limited"],
    ["error/server", "unavailable"],
    ["error/client/badParam", "unexpected-answer"],
  ])("that answers 200 with %s fails as %s, without the API key in the message", async (status, reason) => {
    vendor.answer(() => ({ body: { status, message: "token key-of-acme is wrong" } }));
    const failure = await connection.ask(question, signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason });
    expect(String(failure)).not.toContain("key-of-acme");
  });

  it.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [429, "rate-limited"],
  ])("that answers %i fails as %s", async (status, reason) => {
    vendor.answer(() => ({ status, headers: { "retry-after": "60" } }));
    await expect(connection.ask(question, signal)).rejects.toMatchObject({ reason });
  });

  it("is verified by a query, which requires the API key, with the host", async () => {
    answerWith();
    expect(await connection.verify(signal)).toBe(new URL(vendor.url).host);
    expect(JSON.parse(vendor.requests[0]?.body ?? "")).toMatchObject({ maxCount: 1, token: "key-of-acme" });
    vendor.answer(() => ({ body: { status: "error/client/noPermission", message: "" } }));
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "unauthorized" });
  });
});
