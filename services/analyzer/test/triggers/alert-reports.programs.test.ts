import { randomUUID } from "node:crypto";
import type { AddedAlertSource, Incident, IntegrationKindName, Report } from "@whence/protocol";
import { verifyReport } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { cloudflare, kubernetes, registryOf, vercel } from "@whence/vendors/testing";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { container, ended, pod } from "@whence/vendors/testing/kubernetes/objects";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClusterServer, startClusterServer } from "../../../../test/servers/cluster-server.ts";
import { uploadedChanges } from "../../src/changes/uploaded-changes.ts";
import type { AskingContext } from "../../src/integrations/ask-integrations.ts";
import { uploadedSources } from "../../src/sources/uploaded-sources.ts";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { uploadRelease } from "../changes/release-case.ts";
import { storedEvent } from "../stored-event.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let consumers: Consumers;
let vendor: VendorServer;
let cluster: ClusterServer;

const startedAt = Date.now();
/** The alerts of these tests began then. */
const firedAt = new Date(startedAt - 60_000).toISOString();
const before = (minutes: number): string => new Date(Date.parse(firedAt) - minutes * 60_000).toISOString();

beforeAll(async () => {
  service = await startTestService();
  service.clock.now = startedAt;
  vendor = await startVendorServer(startedAt);
  cluster = await startClusterServer();
  const { control, events, queue, metrics, senderRequests } = service;
  const integrations: AskingContext = {
    ...{ ...vendor.context, registry: registryOf([kubernetes, vercel, cloudflare]), logger: silent },
  };
  consumers = startConsumers({
    ...{ control, events, queue, metrics, senderRequests, integrations, clock: Date.now, logger: silent },
    ...{ sources: uploadedSources(control), changes: uploadedChanges(control) },
  });
});
afterAll(async () => {
  await consumers.stop(1_000);
  await Promise.all([vendor.close(), cluster.close()]);
  await service.close();
});

async function acme(): Promise<TestOrganization> {
  return makeOrganization(service, `acme-${randomUUID()}`);
}

async function connect(
  { id }: TestOrganization,
  kind: IntegrationKindName,
  credentials: Readonly<Record<string, string>>,
): Promise<void> {
  await service.control.scope(id).integrations.connect({
    ...{ kind, vendor: kind, belongsTo: "acme", inputs: {}, credentials, by: { id: "usr_ada", name: "Ada" } },
    now: new Date(service.clock.now),
  });
}

interface Alerting {
  readonly labels?: Readonly<Record<string, string>>;
  readonly summary?: string;
  readonly description?: string;
}

/** Sends an alert as Alertmanager does, and waits for the report on its incident. */
async function reportOn(organization: TestOrganization, alerting: Alerting): Promise<Report> {
  const { labels = {}, ...annotations } = alerting;
  const ask = askAs(organization);
  const added = await ask("POST", "/api/alert-sources", { kind: "alertmanager", name: "Ours" });
  const source: AddedAlertSource = added.json();
  const alert = {
    ...{ status: "firing", startsAt: firedAt, fingerprint: "c6eadffa33fcdf37" },
    labels: { alertname: "Failing", severity: "critical", ...labels },
    ...{ annotations, generatorURL: "https://prometheus.example.com/graph" },
  };
  const sent = await service.app.inject({
    ...{ method: "POST", url: new URL(source.url).pathname, payload: { version: "4", alerts: [alert] } },
    headers: { authorization: `Bearer ${source.secret}` },
  });
  expect(sent.statusCode).toBe(200);
  const alerts = async () => (await ask("GET", `/api/alert-sources/${source.id}/alerts`)).json().alerts;
  await expect.poll(alerts).toHaveLength(1);
  const [{ incident_id: id }] = await alerts();
  return completed(organization, id);
}

function askAs({ cookie }: TestOrganization) {
  return (method: "GET" | "POST", url: string, payload?: object) =>
    service.app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) });
}

/** The report on an incident, once there is one. */
async function completed(organization: TestOrganization, id: string): Promise<Report> {
  consumers.relayOutbox();
  const ask = askAs(organization);
  const incident = async (): Promise<Incident> => (await ask("GET", `/api/incidents/${id}`)).json();
  await expect.poll(async () => (await incident()).status).toBe("completed");
  const { report } = await incident();
  if (!report) throw new Error("a completed incident has a report");
  expect(verifyReport(report)).toEqual([]);
  return report;
}

/** What the first link of the chain cites. */
function originOf({ chain, evidence }: Report) {
  const [first] = chain;
  const cited = evidence.filter(({ id }) => first?.evidence_ids.includes(id));
  return { what: first?.what ?? "", cites: cited.map(({ source }) => source.name) };
}

/** A heartbeat of each minute of the span before the alert. */
function beats(scopeId: string, of: Partial<StoredEvent>, fromMinutes: number, toMinutes: number): StoredEvent[] {
  return Array.from({ length: fromMinutes - toMinutes }, (_, index) => {
    const at = before(fromMinutes - index);
    const stored = storedEvent(scopeId, { ...of, receivedAt: at, fingerprint: "" });
    const { exceptions: _exceptions, ...event } = stored.event;
    return { ...stored, event: { ...event, type: "heartbeat", level: "info", message: "", timestamp: at } };
  });
}

describe("an alert on a service that sends no telemetry", () => {
  it("is explained by the pod that Kubernetes killed for its memory", async () => {
    const organization = await acme();
    const kubeconfig = {
      clusters: [
        {
          name: "prod",
          cluster: {
            server: cluster.url,
            "certificate-authority-data": Buffer.from(cluster.certificates.authority).toString("base64"),
          },
        },
      ],
      users: [{ name: "ops", user: { token: cluster.token } }],
      contexts: [{ name: "prod", context: { cluster: "prod", user: "ops" } }],
    };
    await connect(organization, "kubernetes", { kubeconfig: JSON.stringify(kubeconfig) });
    const state = { running: { startedAt: before(1) } };
    const killed = { containerStatuses: [container(state, ended(137, "OOMKilled", before(2)), 4)] };
    cluster.items.pods = [pod("orders-7d9f-x2k8p", killed)];
    const report = await reportOn(organization, { labels: { service: "Orders", env: "production" } });
    expect(originOf(report)).toMatchObject({
      what: expect.stringMatching(/`orders-7d9f-x2k8p` was killed for using too much memory .*Kubernetes/),
      cites: ["Kubernetes"],
    });
    expect(report.root_cause).toMatchObject({ category: "resource-exhaustion", service: "Orders" });
    expect(report.root_cause_summary).toContain("orders-7d9f-x2k8p");
    expect(report.not_checked.join("\n")).toContain("Telemetry: `Orders` sends none to Whence");
    expect(report.confidence.score).toBeLessThan(0.6);
  });

  it("is explained by its deployment on Vercel shortly before", async () => {
    const organization = await acme();
    await connect(organization, "hosting", { api_token: "token-of-acme" });
    const created = Date.parse(before(6));
    vendor.answer(({ url: { pathname, searchParams } }) => {
      const pagination = { count: 1, next: null, prev: null };
      if (pathname === "/v2/teams") return { body: { teams: [{ id: "team_1" }], pagination } };
      if (pathname !== "/v7/deployments") return { body: "" };
      const deployment = {
        ...{ uid: "dpl_1", name: "storefront", projectId: "prj_1", url: "dpl-1.vercel.app", created, ready: created },
        ...{ state: "READY", target: "production", inspectorUrl: "https://vercel.com/acme/storefront/dpl_1" },
        meta: { githubCommitSha: "abcdef0123456789", githubCommitMessage: "Cache prices" },
      };
      return { body: { deployments: searchParams.has("app") ? [] : [deployment], pagination } };
    });
    const report = await reportOn(organization, { labels: { service: "storefront" }, summary: "p99 above 2 s" });
    expect(originOf(report)).toMatchObject({
      what: expect.stringContaining("in Vercel 6 min before the failure was reported"),
      cites: ["Vercel"],
    });
    expect(report.root_cause.category).toBe("deploy-regression");
    expect(report.root_cause_summary).toMatch(/^Most likely: .*Vercel/);
    expect(report.short_term_solutions[0]?.title).toBe("Look at the deployment of `storefront` in Vercel");
  });

  it("is explained by a change of DNS for the host that it names, on Cloudflare", async () => {
    const organization = await acme();
    await connect(organization, "network", { api_key: "cfk_key", account_email: "ops@acme.example" });
    const account = { id: "acc1", name: "Acme" };
    vendor.answer(({ url: { pathname } }) => {
      if (pathname.endsWith("/zones"))
        return { body: { success: true, result: [{ id: "z1", name: "example.com", account }] } };
      if (!pathname.endsWith("/logs/audit")) return { body: { data: null, errors: [] } };
      const entry = {
        ...{ id: "f174be97", account, zone: { id: "z1", name: "example.com" } },
        action: { description: "Update DNS record", result: "success", time: before(4), type: "update" },
        actor: { id: "u1", context: "dash", email: "ada@acme.example", type: "user" },
        raw: { method: "PATCH", status_code: 200, uri: "/zones/z1/dns_records/r1" },
        resource: {
          ...{ id: "r1", product: "dns", type: "record", scope: "zones" },
          response: { result: { name: "pay.example.com", type: "A", content: "192.0.2.9" } },
        },
      };
      return { body: { success: true, result: [entry], result_info: { count: 1, cursor: "" } } };
    });
    const summary = "https://pay.example.com/health doesn't answer";
    const report = await reportOn(organization, { labels: { service: "billing" }, summary });
    expect(originOf(report)).toMatchObject({
      what: expect.stringContaining("in Cloudflare 4 min before the failure was reported"),
      cites: ["Cloudflare"],
    });
    expect(report.root_cause.category).toBe("network-unreachable");
  });

  it("isn't explained by anything known, as its report says", async () => {
    const report = await reportOn(await acme(), { labels: { service: "search" }, summary: "p99 above 2 s" });
    expect(report.confidence.score).toBe(0.1);
    expect(report.root_cause.category).toBe("unknown");
    expect(report.chain).toHaveLength(1);
    expect(report.not_checked.join("\n")).toContain("Telemetry: `search` sends none to Whence");
    expect(report.short_term_solutions).toEqual([]);
  });

  it("says that nothing was queried when it names no service", async () => {
    const report = await reportOn(await acme(), { summary: "something is slow" });
    expect(report.not_checked.join("\n")).toContain("Telemetry and integrations: the text names no service");
  });
});

describe("a text that someone wants analyzed", () => {
  const words = { error_log: "[FIRING:1] Failing\n- service = billing\nsummary: https://pay.example.com is down" };

  it.each([
    ["an agent or a program, with a key", "/api/mcp/analyze"],
    ["a person, on the page", "/api/analyze"],
  ])("queries no integration and no telemetry, whatever it says: by %s", async (_, url) => {
    const organization = await acme();
    const { key, cookie, id: scopeId } = organization;
    await connect(organization, "network", { api_key: "cfk_key", account_email: "ops@acme.example" });
    await service.events.insert(beats(scopeId, { service: "billing", release: "2.0.0" }, 5, 0));
    const asked = vendor.requests.length;
    const headers = url === "/api/analyze" ? { cookie } : { "x-api-key": key };
    const answer = await service.app.inject({ method: "POST", url, headers, payload: words });
    const report = await completed(organization, answer.json().incident_id);
    expect(vendor.requests).toHaveLength(asked);
    expect(report.not_checked.join("\n")).toContain("Telemetry: the text belongs to no service");
    expect(report.evidence.filter(({ source }) => source.kind !== "error_log")).toEqual([]);
  });
});

describe("an alert on a service that sends telemetry, and no failure", () => {
  it("is explained by the release that began shortly before, whatever the case of the service's name", async () => {
    const organization = await acme();
    await service.events.insert([
      ...beats(organization.id, { service: "orders", release: "1.9.0", instance: "old" }, 60, 8),
      ...beats(organization.id, { service: "orders", release: "2.0.0", instance: "new" }, 7, 0),
    ]);
    const alert = { labels: { service: "Orders", env: "production" }, summary: "p99 above 2 s" };
    const report = await reportOn(organization, alert);
    expect(originOf(report)).toMatchObject({
      what: expect.stringMatching(/^`orders` 2\.0\.0 was first seen 7 min before the failure was reported/),
      cites: ["releases"],
    });
    expect(report.root_cause).toMatchObject({ category: "deploy-regression", service: "orders" });
    expect(report.root_cause_summary).toMatch(/^Most likely: `orders` 2\.0\.0 was first seen 7 min before/);
    expect(report.confidence.score).toBeLessThan(0.5);
    expect(report.not_checked.join("\n")).toContain("`orders` reported no failure in the minutes before");
  });

  it("is explained by the line that the release changed, where its text has a stack trace", async () => {
    const organization = await acme();
    const { id } = organization;
    const fileOf = (total: string) => ({ "src/total.js": `export function total(order) {\n  return ${total};\n}\n` });
    await uploadRelease(service.control, id, { service: "orders", release: "1.9.0", files: fileOf("order.amount") });
    await uploadRelease(service.control, id, {
      ...{ service: "orders", release: "2.0.0", files: fileOf("order.price.amount") },
    });
    await service.events.insert([
      ...beats(id, { service: "orders", release: "1.9.0", instance: "old" }, 60, 8),
      ...beats(id, { service: "orders", release: "2.0.0", instance: "new" }, 7, 0),
    ]);
    const description =
      "\nTypeError: Cannot read properties of undefined (reading 'amount')\n    at total (/srv/orders/src/total.js:2:22)";
    const report = await reportOn(organization, {
      labels: { service: "orders" },
      summary: "5xx above 5%",
      description,
    });
    expect(report.root_cause.location).toMatchObject({ file: expect.stringContaining("src/total.js"), line: 2 });
    const quoted = report.evidence.filter(({ source }) => source.kind === "source_file");
    expect(quoted.map(({ excerpt }) => excerpt).join("\n")).toContain("return order.price.amount;");
    expect(report.chain[0]?.what).toMatch(/`orders` 2\.0\.0 changed .*src\/total\.js/);
  });

  it("is explained by a process whose event loop was blocked", async () => {
    const organization = await acme();
    const blocked = beats(organization.id, { service: "orders", release: "1.9.0" }, 30, 0).map((one, minute) => ({
      ...one,
      event: { ...one.event, attributes: { event_loop_delay_ms: minute < 25 ? 12 : 4_000 } },
    }));
    await service.events.insert(blocked);
    const report = await reportOn(organization, { labels: { service: "orders" }, summary: "p99 above 2 s" });
    expect(originOf(report).what).toContain("the event loop of `orders`");
  });

  it("is explained by the failure of a service that it calls", async () => {
    const organization = await acme();
    const call = {
      ...{ timestamp: before(40), category: "http", level: "info" as const },
      data: { method: "GET", url: "http://payments:8080/charges", status_code: 200, duration_ms: 12 },
    };
    const earlier = storedEvent(organization.id, { service: "orders", receivedAt: before(40) });
    const failed = storedEvent(organization.id, {
      ...{ service: "payments", fingerprint: "v1:2222222222222222", receivedAt: before(3) },
    });
    await service.events.insert([
      ...beats(organization.id, { service: "orders", release: "1.0" }, 30, 0),
      ...beats(organization.id, { service: "payments", release: "1.0", instance: "p1" }, 30, 0),
      { ...earlier, event: { ...earlier.event, timestamp: before(40), breadcrumbs: [call] } },
      { ...failed, event: { ...failed.event, timestamp: before(3) } },
    ]);
    const report = await reportOn(organization, { labels: { service: "orders" }, summary: "p99 above 2 s" });
    expect(report.root_cause.service).toBe("payments");
    expect(originOf(report)).toMatchObject({ cites: ["failures at the time"] });
  });

  it("is explained by the host that its failed call went to, where nothing reports", async () => {
    const organization = await acme();
    const call = {
      ...{ timestamp: before(3), category: "http", level: "error" as const },
      data: { method: "POST", url: "http://stock:9000/reservations", status_code: 502, duration_ms: 8 },
    };
    const failed = storedEvent(organization.id, { service: "orders", receivedAt: before(3) });
    await service.events.insert([
      ...beats(organization.id, { service: "orders", release: "1.0" }, 30, 0),
      { ...failed, event: { ...failed.event, timestamp: before(3), breadcrumbs: [call] } },
    ]);
    const report = await reportOn(organization, { labels: { service: "orders" }, summary: "p99 above 2 s" });
    expect(report.root_cause.statement).toContain("`stock:9000`");
    expect(report.candidates[1]?.service).toBe("orders");
    const [origin] = report.candidates;
    const cited = report.evidence.filter(({ id }) => origin?.evidence_ids.includes(id)).map(({ summary }) => summary);
    expect(cited).toContain("a call from `orders` to `stock:9000` returned 502 before `orders` failed");
  });

  it("isn't certain about anything when nothing changed", async () => {
    const organization = await acme();
    await service.events.insert(beats(organization.id, { service: "orders", release: "1.9.0" }, 60, 0));
    const report = await reportOn(organization, { labels: { service: "orders" }, summary: "p99 above 2 s" });
    expect(report.confidence.score).toBe(0.1);
    expect(report.root_cause.category).toBe("unknown");
  });
});
