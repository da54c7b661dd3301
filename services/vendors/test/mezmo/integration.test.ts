import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { vendorLimits } from "../../src/http/vendor-limits.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { mezmo } from "../../src/mezmo/integration.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let vendor: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = mezmo.connect({ service_key: "key-of-acme" }, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

const line = (text: string, more: object = {}) => ({
  ...{ _id: "1", _ts: Date.parse("2026-03-01T11:59:59Z"), _account: "a", _app: "payments", _host: "node-1" },
  ...{ _line: text, level: "ERROR", ...more },
});

/** Pages with these lines, the last one without a cursor. */
function answerWith(...pages: readonly (readonly object[])[]): void {
  vendor.answer(({ url }) => {
    const page = Number(url.searchParams.get("pagination_id") ?? "0");
    const next = page + 1 < pages.length ? String(page + 1) : null;
    return { body: { lines: pages[page] ?? [], pagination_id: next } };
  });
}

describe("Mezmo", () => {
  it("reports equal lines once, with the service key as a header", async () => {
    answerWith([line('{"level":"error","msg":"charge 17 failed","err":"declined"}'), line("charge 16 failed")]);
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{ kind: "log", vendor: "Mezmo", level: "error", message: "charge 17 failed: declined", source: "payments" },
        ...{ at: "2026-03-01T11:59:59.000Z", count: 1, url: null },
      },
      expect.objectContaining({ message: "charge 16 failed", level: "error" }),
    ]);
    expect(vendor.requests[0]?.headers.servicekey).toBe("key-of-acme");
  });

  it("queries the span, error words, and the failing service, its host, and those it called", async () => {
    answerWith([]);
    expect(await connection.ask(question, signal)).toEqual([]);
    const query = Object.fromEntries(vendor.requests[0]?.url.searchParams ?? []);
    expect(query).toMatchObject({ from: String(Date.parse(question.from)), to: String(Date.parse(question.to)) });
    expect(query.query).toBe(
      "(level:[error,err,fatal,crit,emerg,alert,panic,severe] OR error OR exception OR fatal OR panic) " +
        "(app:orders OR host:orders OR app:payments OR host:payments OR app:orders-7d9f OR host:orders-7d9f)",
    );
  });

  it("can't be made to leave the search by a service's name", async () => {
    answerWith([]);
    await connection.ask({ ...question, service: 'a" OR *', calledHosts: [], host: "" }, signal);
    expect(vendor.requests[0]?.url.searchParams.get("query")).toContain('(app:"a OR *" OR host:"a OR *")');
  });

  it.each([
    [1, 1],
    [2, 2],
    [vendorLimits.pagesMax, vendorLimits.pagesMax],
    [vendorLimits.pagesMax + 1, vendorLimits.pagesMax],
  ])("reads %i pages in %i requests", async (pages, requests) => {
    answerWith(...Array.from({ length: pages }, () => [line("declined")]));
    expect(await connection.ask(question, signal)).toMatchObject([{ count: requests }]);
    expect(vendor.requests).toHaveLength(requests);
  });

  it("exports lines by version 1 without version 2, and skips anything that isn't a line", async () => {
    vendor.answer(({ url: { pathname } }) =>
      pathname === "/v1/export" ? { body: `${JSON.stringify(line("declined"))}\n{"_ts":1\n[]\n` } : { status: 404 },
    );
    expect(await connection.ask(question, signal)).toMatchObject([{ message: "declined", count: 1 }]);
  });

  it.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [429, "rate-limited"],
  ])("that answers %i fails as %s, without the service key in the message", async (status, reason) => {
    vendor.answer(() => ({
      status,
      headers: { "retry-after": "60" },
      body: { error: "key-of-acme", status: "error" },
    }));
    const failure = await connection.ask(question, signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason });
    expect(String(failure)).not.toContain("key-of-acme");
    expect(vendor.requests).toHaveLength(1);
  });

  it("is verified by exporting a line, which requires the service key", async () => {
    answerWith([line("declined")], []);
    expect(await connection.verify(signal)).toBe("Log Analysis");
    expect(vendor.requests).toHaveLength(1);
    vendor.answer(() => ({ status: 401 }));
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "unauthorized" });
  });
});
