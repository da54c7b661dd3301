import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { betterStack } from "../../src/better-stack/integration.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let vendor: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = betterStack.connect({ api_token: "token-of-acme" }, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

/** As https://betterstack.com/docs/uptime/api/list-all-incidents/ shows one. */
const incident = (started_at: string, resolved_at: string | null) => ({
  id: "25",
  type: "incident",
  attributes: {
    ...{ name: "payments", url: "https://payments.example.com/healthz", http_method: "get", cause: "Status 503" },
    ...{ started_at, resolved_at, acknowledged_at: null, status: "Started", origin_url: null },
  },
});

const onCall = {
  id: "12345",
  type: "on_call_calendar",
  attributes: { name: "Payments", default_calendar: true },
  relationships: { on_call_users: { data: [{ id: "1", type: "user", meta: { email: "ada@example.com" } }] } },
};

function answerWith(incidents: readonly object[], next: string | null = null): void {
  vendor.answer(({ url }) => {
    if (url.pathname === "/api/v2/on-calls") return { body: { data: [onCall] } };
    const isFirst = url.searchParams.get("page") === "1";
    return { body: { data: isFirst ? incidents : [], pagination: { next: isFirst ? next : null } } };
  });
}

describe("Better Stack", () => {
  it("returns outages around the failure and who is on call", async () => {
    answerWith([incident("2026-03-01T11:58:00.000Z", null)]);
    const page = "https://uptime.betterstack.com/team/0/incidents/25";
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{ kind: "problem", what: "outage", vendor: "Better Stack", title: "payments: Status 503", url: page },
        ...{ target: "payments.example.com", since: "2026-03-01T11:58:00.000Z", until: null },
      },
      {
        ...{ kind: "record", what: "on-call", vendor: "Better Stack", title: "ada@example.com" },
        ...{ target: "Payments", at: null, url: null, email: "ada@example.com" },
      },
    ]);
    expect(vendor.requests[0]?.headers.authorization).toBe("Bearer token-of-acme");
  });

  it("leaves out what was over before the span, although it is queried by whole days", async () => {
    answerWith([
      incident("2026-03-01T02:00:00.000Z", "2026-03-01T10:59:59.999Z"),
      incident("2026-03-01T02:00:00.000Z", question.from),
      incident("2026-03-01T12:05:00.001Z", null),
    ]);
    const found = await connection.ask(question, signal);
    expect(found.filter(({ kind }) => kind === "problem")).toMatchObject([{ until: question.from }]);
    const asked = vendor.requests.find(({ url }) => url.pathname === "/api/v3/incidents");
    expect(Object.fromEntries(asked?.url.searchParams ?? [])).toMatchObject({ from: "2026-03-01", to: "2026-03-01" });
  });

  it("reads the available pages", async () => {
    answerWith([incident("2026-03-01T11:58:00.000Z", null)], "https://uptime.betterstack.com/api/v3/incidents?page=2");
    await connection.ask(question, signal);
    expect(vendor.requests.filter(({ url }) => url.pathname === "/api/v3/incidents")).toHaveLength(2);
  });

  it("is verified by a request that needs the token", async () => {
    answerWith([]);
    expect(await connection.verify(signal)).toBe("Uptime");
    vendor.answer(() => ({ status: 401, body: { errors: "Invalid Team API token" } }));
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "unauthorized" });
  });
});
