import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { e2b } from "../../src/e2b/integration.ts";
import { integrationRegistry } from "../../src/integration-registry.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";
import { itKeepsRefusals } from "../integrations/refusals.ts";

const inputs = { api_key: "e2b_key-of-acme" };
const { signal } = new AbortController();

let vendor: VendorServer;
let connection: VendorConnection;

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = e2b.connect(inputs, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

/** As https://e2b.dev/docs/sandbox/lifecycle-events-api shows one. */
const killed = (sandboxId: string, timestamp: string) => ({
  ...{ version: "v1", id: `${sandboxId} ${timestamp}`, type: "sandbox.lifecycle.killed", eventData: null },
  ...{ sandboxBuildId: "a979a14b", sandboxExecutionId: "1dae9e1c", sandboxId, sandboxTeamId: "t1" },
  ...{ sandboxTemplateId: "base", timestamp },
});

const line = (level: string, message: string, timestamp: string) => ({ level, message, timestamp, fields: {} });

function answerWith(events: readonly object[], logs: VendorAnswerOf = { body: { logs: [] } }): void {
  vendor.answer(({ url: { pathname } }) => {
    if (pathname === "/events/sandboxes") return { body: events };
    if (pathname === "/v2/sandboxes") return { body: [] };
    return logs;
  });
}

const askedFor = (path: string) =>
  vendor.requests.filter(({ url }) => url.pathname === path).map(({ url }) => url.searchParams);

describe("E2B", () => {
  it("returns sandboxes that were killed within the span, those that the request called first, and their logs", async () => {
    const logs = [
      line("error", "OOM", "2026-03-01T11:59:00Z"),
      line("error", "OOM", "2026-03-01T11:59:30Z"),
      line("warn", "too late", "2026-03-01T12:05:01Z"),
    ];
    answerWith(
      [
        killed("ilater", "2026-03-01T12:05:00.001Z"),
        killed("iother", "2026-03-01T11:58:00Z"),
        killed("icalled", "2026-03-01T11:57:00Z"),
        killed("ibefore", "2026-03-01T10:59:59Z"),
      ],
      { body: { logs } },
    );
    const found = await connection.ask({ ...question, calledHosts: ["3000-icalled.e2b.app"] }, signal);
    expect(found).toMatchObject([
      {
        ...{ kind: "problem", what: "stopped", vendor: "E2B", target: "icalled", until: null },
        ...{ title: "sandbox of template base was killed", since: "2026-03-01T11:57:00Z" },
      },
      { kind: "problem", target: "iother" },
      { kind: "log", source: "icalled", message: "OOM", level: "error", count: 2, at: "2026-03-01T11:59:30Z" },
      { kind: "log", source: "iother" },
    ]);
    expect(vendor.requests[0]?.headers["x-api-key"]).toBe("e2b_key-of-acme");
    expect(Object.fromEntries(askedFor("/v2/sandboxes/icalled/logs")[0] ?? [])).toMatchObject({
      ...{ cursor: String(Date.parse(question.from)), level: "warn" },
    });
  });

  it("returns sandboxes whose logs are gone", async () => {
    answerWith([killed("iother", "2026-03-01T11:58:00Z")], { status: 404 });
    expect(await connection.ask(question, signal)).toHaveLength(1);
  });

  it.each([
    ["until the span begins", "2026-03-01T10:00:00Z", 1],
    ["five pages and no sixth", "2026-03-01T11:58:00Z", 5],
  ])("reads %s", async (_name, timestamp, pages) => {
    answerWith(Array.from({ length: 100 }, () => killed("iother", timestamp)));
    await connection.ask(question, signal);
    expect(askedFor("/events/sandboxes").map((query) => query.get("offset"))).toEqual(
      ["0", "100", "200", "300", "400"].slice(0, pages),
    );
  });

  it("returns nothing when nothing was killed", async () => {
    answerWith([]);
    expect(await connection.ask(question, signal)).toEqual([]);
    expect(await connection.verify(signal)).toBe("E2B team");
  });

  it("is recognized by the form of its key, like Daytona", () => {
    const vendorOf = (key: string) => integrationRegistry.find("sandbox", { api_key: key })?.vendor ?? null;
    expect(["e2b_1", "dtn_1", "other"].map(vendorOf)).toEqual(["E2B", "Daytona", null]);
  });

  itKeepsRefusals({ integration: e2b, inputs, limited: { status: 429, headers: { "retry-after": "3600" } } });
});
