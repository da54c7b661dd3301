import type {
  ApiKeyList,
  AuditLog,
  ListSandboxesResponse,
  PaginatedAuditLogs,
  PaginatedLogs,
  SandboxListItem,
} from "@daytonaio/api-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { daytona } from "../../src/daytona/integration.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";
import { itKeepsRefusals } from "../integrations/refusals.ts";

const inputs = { api_key: "dtn_key-of-acme" };
const { signal } = new AbortController();

let vendor: VendorServer;
let connection: VendorConnection;

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = daytona.connect(inputs, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

/** A type that Daytona generates from its OpenAPI document, with times as they are sent. */
type Sent<Value> = Value extends Date
  ? string
  : Value extends object
    ? { [Key in keyof Value]: Sent<Value[Key]> }
    : Value;

const sandbox = (id: string, more: Partial<SandboxListItem> = {}): SandboxListItem => ({
  ...{ id, organizationId: "org1", name: `name-${id}`, target: "us", user: "daytona", public: false, labels: {} },
  ...{ networkBlockAll: false, cpu: 1, gpu: 0, memory: 1, disk: 3, toolboxProxyUrl: "https://proxy.example" },
  ...{ state: "error", errorReason: "Sandbox ran out of memory", updatedAt: "2026-03-01T11:58:00Z", ...more },
});

const audited = (action: string, more: Partial<Sent<AuditLog>> = {}): Sent<AuditLog> => ({
  ...{ id: "a1", actorId: "u1", actorEmail: "ada@acme.example", organizationId: "org1", action, targetType: "sandbox" },
  ...{ targetId: "s9", statusCode: 200, createdAt: "2026-03-01T11:55:00Z", ...more },
});

const key: Sent<ApiKeyList> = {
  ...{ name: "whence", value: "dtn_***", permissions: ["read:audit_logs"], userId: "u1" },
  ...{ createdAt: "2026-01-01T00:00:00Z", lastUsedAt: null, expiresAt: null },
};

interface Account {
  readonly sandboxes?: SandboxListItem[];
  readonly nextCursor?: string | null;
  readonly logs?: PaginatedLogs["items"] | VendorAnswerOf;
  readonly audit?: Sent<PaginatedAuditLogs["items"]> | VendorAnswerOf;
  readonly organizationId?: string | null;
}

function answerWith({
  sandboxes = [],
  nextCursor = null,
  logs = [],
  audit = [],
  organizationId = "org1",
}: Account): void {
  const page = { total: 1, page: 1, totalPages: 1 };
  const listed: ListSandboxesResponse = { items: sandboxes, nextCursor };
  const logged = Array.isArray(logs) ? { body: { items: logs, ...page } satisfies PaginatedLogs } : logs;
  const ended = Array.isArray(audit) ? { body: { items: audit, ...page } satisfies Sent<PaginatedAuditLogs> } : audit;
  vendor.answer(({ url: { pathname } }) => {
    if (pathname === "/api/api-keys/current")
      return { body: { ...key, ...(organizationId === null ? {} : { organizationId }) } };
    if (pathname === "/api/sandbox") return { body: listed };
    return pathname === "/api/audit/organizations/org1" ? ended : logged;
  });
}

const askedFor = (path: string) =>
  vendor.requests.filter(({ url }) => url.pathname === path).map(({ url }) => url.searchParams);

describe("Daytona", () => {
  it("returns failed sandboxes, those that the request called first, their logs, and who ended one", async () => {
    const line = {
      ...{ timestamp: "2026-03-01T11:57:30Z", body: "Killed", severityText: "ERROR", serviceName: "s" },
      ...{ resourceAttributes: {}, logAttributes: {} },
    };
    answerWith({
      sandboxes: [sandbox("s1"), sandbox("s2", { state: "build_failed", errorReason: "" })],
      logs: [line, line],
      audit: [audited("delete"), audited("create"), audited("delete", { targetType: "volume" })],
    });
    const page = "https://app.daytona.io/dashboard/sandboxes/s2";
    expect(await connection.ask({ ...question, calledHosts: ["3000-s2.proxy.daytona.work"] }, signal)).toEqual([
      {
        ...{ kind: "problem", what: "stopped", vendor: "Daytona", target: "name-s2", until: null, url: page },
        ...{ title: "build_failed", since: "2026-03-01T11:58:00Z" },
      },
      expect.objectContaining({ target: "name-s1", title: "error: Sandbox ran out of memory" }),
      {
        ...{ kind: "log", vendor: "Daytona", level: "ERROR", message: "Killed", source: "name-s2", url: page },
        ...{ at: "2026-03-01T11:57:30Z", count: 2 },
      },
      expect.objectContaining({ kind: "log", source: "name-s1" }),
      {
        ...{ kind: "change-event", what: "configuration", vendor: "Daytona", target: "s9", url: null, failed: false },
        ...{ title: "delete sandbox", at: "2026-03-01T11:55:00Z", by: "ada@acme.example" },
      },
    ]);
    expect(vendor.requests[0]?.headers.authorization).toBe("Bearer dtn_key-of-acme");
    const query = askedFor("/api/sandbox")[0];
    expect(query?.getAll("states")).toEqual(["error", "build_failed"]);
    expect(query?.get("lastEventAfter")).toBe(question.from);
    expect(query?.get("lastEventBefore")).toBe(question.to);
  });

  it("returns sandboxes even when the key may not read logs and the audit log", async () => {
    answerWith({ sandboxes: [sandbox("s1")], logs: { status: 403 }, audit: { status: 403 } });
    expect(await connection.ask(question, signal)).toHaveLength(1);
  });

  it("returns a failed attempt to end a sandbox", async () => {
    const failed = audited("stop", { statusCode: 409, errorMessage: "Sandbox is not started" });
    answerWith({ audit: [failed] });
    expect(await connection.ask(question, signal)).toMatchObject([
      { failed: true, title: "stop sandbox: Sandbox is not started" },
    ]);
  });

  it("reads five pages and no sixth", async () => {
    answerWith({ sandboxes: [sandbox("s1")], nextCursor: "more" });
    await connection.ask(question, signal);
    const cursors = askedFor("/api/sandbox").map((query) => query.get("cursor"));
    expect(cursors).toEqual([null, "more", "more", "more", "more"]);
  });

  it("returns nothing when nothing failed", async () => {
    answerWith({});
    expect(await connection.ask(question, signal)).toEqual([]);
  });

  it("is verified with the key's name and organization", async () => {
    answerWith({});
    expect(await connection.verify(signal)).toBe("whence, organization org1");
    answerWith({ organizationId: null });
    expect(await connection.verify(signal)).toBe("whence");
  });

  itKeepsRefusals({
    ...{ integration: daytona, inputs },
    limited: { status: 429, headers: { "retry-after-authenticated": "3600" } },
  });
});
