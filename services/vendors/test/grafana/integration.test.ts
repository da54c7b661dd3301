import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grafana } from "../../src/grafana/integration.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let vendor: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();

beforeEach(async () => {
  vendor = await startVendorServer();
  const inputs = { instance_url: `${vendor.url}/grafana/`, service_account_token: "glsa_secret" };
  connection = grafana.connect(inputs, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

const api = "/grafana/api";
const loki = `${api}/datasources/proxy/uid/loki-1/loki/api/v1`;
const sources = ["loki", "testdata"].map((type) => ({ id: 1, uid: `${type}-1`, orgId: 1, name: type, type }));
const empty: Readonly<Record<string, unknown>> = {
  [`${api}/org`]: { id: 1, name: "Main Org." },
  [`${api}/datasources`]: sources,
  [`${api}/annotations`]: [],
  [`${api}/prometheus/grafana/api/v1/alerts`]: { status: "success", data: { alerts: [] } },
  [`${loki}/labels`]: { status: "success", data: ["service_name", "app"] },
  [`${loki}/query_range`]: { status: "success", data: { resultType: "streams", result: [], stats: {} } },
};

function answerWith(changed: Readonly<Record<string, unknown>>, status: Readonly<Record<string, number>> = {}): void {
  const answers = { ...empty, ...changed };
  vendor.answer(({ url: { pathname } }) => ({ status: status[pathname] ?? 200, body: answers[pathname] ?? {} }));
}

/** As https://grafana.com/docs/grafana/latest/developers/http_api/annotations/ shows one. */
const annotation = (more: object) => ({
  ...{ id: 1, dashboardId: 0, panelId: 0, userId: 1, userName: "", newState: "", prevState: "", metric: "", data: {} },
  ...{ time: Date.parse("2026-03-01T11:55:00Z"), timeEnd: 0, text: "", tags: [], login: "ci", ...more },
});

describe("Grafana", () => {
  it("reports annotated changes, the related ones first, and leaves out what isn't a change", async () => {
    const annotations = [
      annotation({ text: "Deployed users 3", tags: ["deploy", "service:users"] }),
      annotation({ text: "lunch", tags: ["note"] }),
      annotation({ text: "<b>v2.0.0</b>", tags: ["release", "orders"], dashboardUID: "abc" }),
    ];
    answerWith({ [`${api}/annotations`]: annotations });
    expect(await connection.ask(question, signal)).toMatchObject([
      { kind: "change-event", what: "release", title: "v2.0.0", target: "orders", url: `${vendor.url}/grafana/d/abc` },
      {
        kind: "change-event",
        what: "deployment",
        target: "users",
        by: "ci",
        at: "2026-03-01T11:55:00.000Z",
        url: null,
      },
    ]);
    const asked = vendor.requests.find(({ url }) => url.pathname === `${api}/annotations`);
    expect(Object.fromEntries(asked?.url.searchParams ?? [])).toEqual({
      ...{ from: String(Date.parse(question.from)), to: String(Date.parse(question.to)), limit: "100" },
    });
    expect(asked?.headers.authorization).toBe("Bearer glsa_secret");
  });

  it("reports firing alerts, and those that Grafana recorded", async () => {
    const alert = (state: string, activeAt: string, alertname: string) => ({
      ...{
        labels: { alertname, service: "orders" },
        annotations: { summary: "too many" },
        state,
        activeAt,
        value: "1",
      },
    });
    answerWith({
      [`${api}/prometheus/grafana/api/v1/alerts`]: {
        status: "success",
        data: {
          alerts: [
            alert("Alerting", "2026-03-01T11:50:00Z", "Errors"),
            alert("Normal", "2026-03-01T11:50:00Z", "Calm"),
            alert("Alerting", "2026-03-01T12:05:01Z", "Later"),
          ],
        },
      },
      [`${api}/annotations`]: [
        annotation({ alertName: "Queue", newState: "Alerting" }),
        annotation({ newState: "OK" }),
      ],
    });
    expect(await connection.ask(question, signal)).toMatchObject([
      { kind: "problem", what: "alarm", title: "Errors: too many", target: "orders", until: null },
      { kind: "problem", what: "alarm", title: "Queue", since: "2026-03-01T11:55:00.000Z" },
    ]);
  });

  it("reports Loki's log lines once, although their stream has several of the queried labels", async () => {
    const values = [
      ["1772366399000000000", '{"level":50,"msg":"charge 17 failed"}'],
      ["1772366398000000000", '{"level":50,"msg":"charge 16 failed"}'],
      ["1772366398000000000", '{"level":30,"msg":"no error"}'],
    ];
    const result = [{ stream: { service_name: "payments", app: "payments", detected_level: "error" }, values }];
    answerWith({ [`${loki}/query_range`]: { status: "success", data: { resultType: "streams", result } } });
    const found = await connection.ask(question, signal);
    expect(found).toEqual([
      {
        ...{ kind: "log", vendor: "Grafana", level: "error", message: "charge 17 failed", source: "payments" },
        ...{ at: "2026-03-01T11:59:59.000Z", count: 2, url: expect.any(String) },
      },
    ]);
    const link = new URL(found[0]?.url ?? "");
    expect(`${link.origin}${link.pathname}`).toBe(`${vendor.url}/grafana/explore`);
    expect(JSON.parse(link.searchParams.get("panes") ?? "")).toMatchObject({
      whence: {
        queries: [{ datasource: { type: "loki" }, expr: expect.stringMatching(/^\{service_name=~.* \|~ /) }],
        range: { from: String(Date.parse(question.from)), to: String(Date.parse(question.to)) },
      },
    });
    const asked = vendor.requests.filter(({ url }) => url.pathname === `${loki}/query_range`);
    expect(asked.map(({ url }) => url.searchParams.get("query")?.split(" |~ ")[0])).toEqual([
      '{service_name=~"(?i).*(orders|payments).*"}',
      '{app=~"(?i).*(orders|payments).*"}',
    ]);
    expect(asked[0]?.url.searchParams.get("start")).toBe("1772362800000000000");
  });

  it("can't be made to leave the label by a service's name", async () => {
    answerWith({});
    await connection.ask({ ...question, service: 'a"} | b.*', calledHosts: [] }, signal);
    const asked = vendor.requests.find(({ url }) => url.pathname === `${loki}/query_range`);
    expect(asked?.url.searchParams.get("query")).toMatch(
      /^\{service_name=~"\(\?i\)\.\*\(a\\"\\\\\} \\\\\| b\\\\\.\\\\\*\)\.\*"\} \|~ /,
    );
  });

  it("reports what it may read, and fails when it may read nothing", async () => {
    answerWith({ [`${api}/annotations`]: [annotation({ tags: ["deploy"] })] }, { [`${api}/datasources`]: 403 });
    expect(await connection.ask(question, signal)).toMatchObject([{ kind: "change-event" }]);
    vendor.answer(() => ({ status: 403 }));
    await expect(connection.ask(question, signal)).rejects.toMatchObject({ reason: "forbidden" });
  });

  it("is verified by requests that require the token, with the organization's name", async () => {
    answerWith({});
    expect(await connection.verify(signal)).toBe("Main Org.");
    answerWith({}, { [`${api}/datasources`]: 403 });
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "forbidden" });
    vendor.answer(() => ({ status: 401, body: { message: "Invalid API key glsa_secret" } }));
    const failure = await connection.verify(signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "unauthorized" });
    expect(String(failure)).not.toContain("glsa_secret");
  });

  it.each(["grafana.example.com", "ftp://grafana.example.com", "https://ada:pw@grafana.example.com"])(
    "isn't connected at %s",
    (instance_url) => {
      const connect = () => grafana.connect({ instance_url, service_account_token: "t" }, vendor.context);
      expect(connect).toThrow("the entered address isn't an HTTP URL");
    },
  );
});
