import { createEmulator, type Emulator } from "emulate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../../test/servers/free-port.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { mostTelling } from "../../src/integrations/most-telling.ts";
import { vercel } from "../../src/vercel/integration.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";
import { itKeepsRefusals } from "../integrations/refusals.ts";

const inputs = { api_token: "token-of-acme" };
const { signal } = new AbortController();
const at = (time: string): number => Date.parse(`2026-03-01T${time}Z`);

/** As https://vercel.com/docs/rest-api/deployments/list-deployments shows one. */
const deployment = (uid: string, created: number, more: object = {}) => ({
  ...{ uid, name: "orders", projectId: "prj_orders", url: `${uid}.vercel.app`, created, createdAt: created },
  ...{ readyState: "READY", state: "READY", type: "LAMBDAS", target: "production", source: "git" },
  ...{ inspectorUrl: `https://vercel.com/acme/orders/${uid}`, creator: { uid: "u1", username: "ada" } },
  meta: {
    ...{ githubCommitSha: "abcdef0123456789", githubCommitRef: "main", githubCommitAuthorName: "Ada Lovelace" },
    githubCommitMessage: "Read the amount from the total\n\nIt moved.",
  },
  ...more,
});

const broken = deployment("dpl_broken", at("11:40:00"), {
  ...{ name: "web", projectId: "prj_web", readyState: "ERROR", state: "ERROR", target: null, meta: {} },
  errorMessage: 'Command "npm run build" exited with 1',
});

const runtimeLine = (level: string, timestampInMs: number, more: object = {}) =>
  JSON.stringify({
    ...{ level, message: "TypeError: amount", rowId: "1", source: "serverless", timestampInMs, domain: "orders.app" },
    ...{ messageTruncated: false, requestMethod: "GET", requestPath: "/orders/7", responseStatusCode: 500, ...more },
  });

describe("Vercel", () => {
  let vendor: VendorServer;
  let connection: VendorConnection;

  beforeEach(async () => {
    vendor = await startVendorServer();
    connection = vercel.connect(inputs, vendor.context);
  });
  afterEach(async () => {
    await connection.close();
    await vendor.close();
  });

  interface Account {
    readonly teams?: VendorAnswerOf;
    readonly deployments?: readonly object[];
    readonly serving?: readonly object[];
    readonly events?: VendorAnswerOf;
    readonly runtime?: VendorAnswerOf;
  }

  function answerWith({ teams, deployments = [], serving = [], events, runtime }: Account): void {
    vendor.answer(({ url }) => {
      const { pathname, searchParams } = url;
      const pagination = { count: 1, next: null, prev: null };
      if (pathname === "/v2/teams") return teams ?? { body: { teams: [{ id: "team_1" }], pagination } };
      if (pathname === "/v3/deployments/dpl_broken/events") return events ?? { body: [] };
      if (pathname.endsWith("/runtime-logs")) return runtime ?? { body: "" };
      if (pathname !== "/v7/deployments") return { status: 404 };
      return { body: { deployments: searchParams.has("app") ? serving : deployments, pagination } };
    });
  }

  const askedFor = (path: string) =>
    vendor.requests.filter(({ url }) => url.pathname === path).map(({ url }) => Object.fromEntries(url.searchParams));

  it("returns the deployments around the failure, with their commit and who wrote it", async () => {
    answerWith({ deployments: [deployment("dpl_1", at("11:50:00"), { ready: at("11:51:00") })] });
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{ kind: "change-event", what: "deployment", vendor: "Vercel", target: "orders", failed: false },
        title: "Read the amount from the total (abcdef0 on main)",
        ...{ at: "2026-03-01T11:51:00.000Z", by: "Ada Lovelace", url: "https://vercel.com/acme/orders/dpl_1" },
      },
    ]);
    expect(vendor.requests[0]?.headers.authorization).toBe("Bearer token-of-acme");
    const span = { since: String(at("11:00:00")), until: String(at("12:05:00")), teamId: "team_1" };
    expect(askedFor("/v7/deployments")).toContainEqual({ ...span, limit: "100" });
  });

  it("returns the errors of a failed build, before deployments of other projects", async () => {
    answerWith({
      deployments: [broken, deployment("dpl_1", at("11:30:00"))],
      events: {
        body: [
          { type: "stderr", created: at("11:41:00"), text: "Error: Cannot find module 'money'", info: {} },
          { type: "stdout", created: at("11:40:30"), payload: { text: "Installing", date: at("11:40:30") } },
          { type: "fatal", created: at("11:40:20"), payload: { text: "Out of disk", date: at("11:40:20") } },
        ],
      },
    });
    expect(mostTelling(await connection.ask(question, signal), question)).toMatchObject([
      { kind: "change-event", target: "orders" },
      { kind: "log", message: "Error: Cannot find module 'money'", source: "web build", level: "error", count: 1 },
      { kind: "log", message: "Out of disk", at: "2026-03-01T11:40:20.000Z", url: broken.inspectorUrl },
      { target: "web", failed: true, title: 'Command "npm run build" exited with 1, error', by: "ada" },
    ]);
  });

  it("returns errors of the deployment that served the request, from a stream that doesn't end", async () => {
    const serving = [
      deployment("dpl_preview", at("09:30:00"), { target: null }),
      deployment("dpl_old", at("09:00:00")),
    ];
    answerWith({ serving });
    const lines = [
      runtimeLine("error", at("12:00:00")),
      runtimeLine("error", at("11:59:00")),
      runtimeLine("info", at("12:00:00"), { message: "fine" }),
      runtimeLine("error", at("10:59:59"), { message: "before the span" }),
      "no JSON",
      runtimeLine("warning", at("11:58:00"), { message: "slow", requestMethod: "", requestPath: "" }),
    ];
    const paths: string[] = [];
    vendor.answer(({ url }, response) => {
      paths.push(url.pathname);
      if (url.pathname === "/v2/teams")
        return { body: { teams: [], pagination: { count: 0, next: null, prev: null } } };
      if (!url.pathname.endsWith("/runtime-logs")) {
        const deployments = url.searchParams.has("app") ? serving : [];
        return { body: { deployments, pagination: { count: 1, next: null, prev: null } } };
      }
      response.writeHead(200, { "content-type": "application/stream+json" }).write(`${lines.join("\n")}\n`);
      return undefined;
    });
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{
          kind: "log",
          vendor: "Vercel",
          level: "error",
          source: "orders",
          count: 2,
          url: "https://vercel.com/acme/orders/dpl_old",
        },
        ...{ message: "GET /orders/7 500: TypeError: amount", at: "2026-03-01T12:00:00.000Z" },
      },
      expect.objectContaining({ message: "500: slow", level: "warning", count: 1 }),
    ]);
    expect(paths).toContain("/v1/projects/prj_orders/deployments/dpl_old/runtime-logs");
  });

  it("returns deployments even when the token may not read logs", async () => {
    answerWith({
      ...{ deployments: [broken], serving: [deployment("dpl_old", at("09:00:00"))] },
      ...{ events: { status: 403 }, runtime: { status: 403 } },
    });
    expect(await connection.ask(question, signal)).toMatchObject([{ kind: "change-event", target: "web" }]);
  });

  it.each([
    ["limited to a project", { status: 403 }],
    ["of a team that limits it", { body: { teams: [{ id: "team_1", limited: true }] } }],
  ])("queries without a team for a token %s", async (_name, teams) => {
    answerWith({ teams, deployments: [deployment("dpl_1", at("11:50:00"))] });
    expect(await connection.ask(question, signal)).toHaveLength(1);
    expect(askedFor("/v7/deployments").filter((query) => "teamId" in query)).toEqual([]);
  });

  it("queries only the team that an integration was installed in", async () => {
    answerWith({ deployments: [deployment("dpl_1", at("11:50:00"))] });
    const installed = vercel.connect({ ...inputs, team_id: "team_7" }, vendor.context);
    expect(await installed.ask(question, signal)).toHaveLength(1);
    await installed.close();
    expect(askedFor("/v2/teams")).toEqual([]);
    expect(askedFor("/v7/deployments").map(({ teamId }) => teamId)).toEqual(["team_7", "team_7"]);
  });

  it("reads five pages, and each deployment once", async () => {
    vendor.answer(({ url }) => {
      if (url.pathname === "/v2/teams")
        return { body: { teams: [], pagination: { count: 0, next: null, prev: null } } };
      if (url.searchParams.has("app")) return { body: { deployments: [], pagination: { next: null } } };
      const until = Number(url.searchParams.get("until"));
      const page = [deployment(`dpl_${until}`, until), deployment(`dpl_${until - 1}`, until - 1)];
      return { body: { deployments: page, pagination: { next: until - 1 } } };
    });
    expect(await connection.ask(question, signal)).toHaveLength(6);
    expect(askedFor("/v7/deployments").filter((query) => !("app" in query))).toHaveLength(5);
  });

  it("returns nothing when nothing was deployed", async () => {
    answerWith({});
    expect(await connection.ask(question, signal)).toEqual([]);
  });

  const noonPlusHour = String(at("13:00:00") / 1_000);
  itKeepsRefusals({
    integration: vercel,
    inputs,
    limited: { status: 429, headers: { "x-ratelimit-reset": noonPlusHour } },
  });
});

describe("Vercel as emulated by emulate", () => {
  let emulator: Emulator;
  let vendor: VendorServer;
  let connection: VendorConnection;

  beforeEach(async () => {
    vendor = await startVendorServer();
    const seed = {
      tokens: { "token-of-acme": { login: "ada" } },
      vercel: {
        users: [{ username: "ada" }],
        teams: [{ slug: "acme" }],
        projects: [{ name: "orders", team: "acme" }],
      },
    };
    emulator = await createEmulator({ service: "vercel", port: await freePort(), seed });
    const context = { ...vendor.context, addressOf: () => emulator.url };
    connection = vercel.connect(inputs, context);
  });
  afterEach(async () => {
    await connection.close();
    await emulator.close();
    await vendor.close();
  });

  const now = Date.now();
  const recent = {
    ...question,
    ...{ at: new Date(now).toISOString(), from: new Date(now - 3_600_000).toISOString() },
    to: new Date(now + 300_000).toISOString(),
  };

  it("is verified as the user of the token", async () => {
    expect(await connection.verify(signal)).toBe("ada");
  });

  it("returns what was deployed in a team", async () => {
    await fetch(`${emulator.url}/v13/deployments?slug=acme`, {
      method: "POST",
      headers: { authorization: "Bearer token-of-acme", "content-type": "application/json" },
      body: JSON.stringify({
        ...{ name: "orders", project: "orders", target: "production" },
        meta: { githubCommitSha: "abcdef0123456789", githubCommitAuthorLogin: "grace" },
      }),
    });
    expect(await connection.ask(recent, signal)).toMatchObject([
      { kind: "change-event", what: "deployment", target: "orders", title: "abcdef0", by: "grace", failed: false },
    ]);
  });

  it("returns nothing when nothing was deployed", async () => {
    expect(await connection.ask(recent, signal)).toEqual([]);
  });
});
