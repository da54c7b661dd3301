import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTcpServer, type Server as NetServer } from "node:net";
import { minuteMs } from "@whence/protocol";
import { addressGuard } from "@whence/vendors";
import { startHttpsReceiver } from "@whence/vendors/testing/notifications/https-receiver";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storedEvent } from "../stored-event.ts";
import { loopback, type Monitored, startMonitored } from "./monitored.ts";

let started: Awaited<ReturnType<typeof startMonitored>>;
let acme: Monitored;
let server: Server;
let url: string;
/** How the server answers. */
let answer: RequestListener;
let asked: { method: string | undefined; agent: string | undefined }[];
/** The networks that the operator allows. */
let mayReach = loopback;

beforeAll(async () => {
  started = await startMonitored((address) => mayReach(address));
});
beforeEach(async () => {
  started.service.clock.now = Date.parse("2026-03-01T12:00:00.000Z");
  acme = await started.fresh();
  mayReach = loopback;
  asked = [];
  answer = (_, response) => response.end("the shop is open");
  server = createServer((request, response) => {
    asked.push({ method: request.method, agent: request.headers["user-agent"] });
    answer(request, response);
  });
  url = `http://127.0.0.1:${await listening(server)}/health`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
afterAll(() => started.service.close());

async function listening(one: NetServer): Promise<number> {
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  const address = one.address();
  if (typeof address !== "object" || address === null) throw new Error("it listens on no port");
  return address.port;
}

const fails: RequestListener = (_, response) => response.writeHead(503).end();
const check = (settings: object = {}) => ({ name: "Shop", check: { kind: "uptime", url, ...settings } });
const latest = async (id: string) => (await acme.results(id))[0];

describe("an uptime check", () => {
  it("requests its URL at once and then in its interval, and passes while it answers from 200 to 299", async () => {
    const { monitor } = await acme.create(check({ interval_minutes: 5 }));
    await acme.pass(0);
    expect(await acme.read(monitor.id)).toMatchObject({
      ...{ state: "passing", next_check_at: "2026-03-01T12:05:00.000Z" },
      last_result: { outcome: "passed", reason: "answered 200" },
    });
    await acme.pass(4.9);
    await acme.pass(0.1);
    expect(asked).toEqual(Array(2).fill({ method: "GET", agent: "Whence/1 (uptime check)" }));
  });

  it("opens an incident after as many failed checks in a row as its owner chose, and recovers with one that passes", async () => {
    const { monitor } = await acme.create({ ...check(), alert_after: 2 });
    answer = fails;
    await acme.pass(0);
    expect(await acme.incidents()).toEqual([]);
    expect(await acme.read(monitor.id)).toMatchObject({ state: "failing" });
    await acme.pass(1, 3);
    const incidents = await acme.incidents();
    expect(incidents).toMatchObject([
      { title: `Shop: ${url} answered 503`, severity: "high", trigger: { sender: "Whence", url } },
    ]);
    expect(await acme.read(monitor.id)).toMatchObject({
      ...{ state: "alerting", failing_since: "2026-03-01T12:00:00.000Z", incident_id: incidents[0]?.id },
    });
    answer = (_, response) => response.end();
    await acme.pass(1);
    expect(await acme.read(monitor.id)).toMatchObject({ state: "passing", incident_id: incidents[0]?.id });
    expect((await acme.incidents())[0]?.lifecycle.state).toBe("open");
  });

  it.each([
    ["an expected status", { statuses: [503] }, fails, "passed", "answered 503"],
    ["a status that isn't expected", { statuses: [204] }, undefined, "failed", "answered 200"],
    ["a redirect", {}, redirects, "failed", "answered 302, a redirect to https://elsewhere.example/"],
    ["the text", { body_contains: "shop is open" }, undefined, "passed", "answered 200"],
    ["another text", { body_contains: "sale" }, undefined, "failed", "answered 200 without the text “sale”"],
    ["the method HEAD", { method: "HEAD" }, undefined, "passed", "answered 200"],
    ["no answer in time", { timeout_seconds: 1 }, () => undefined, "failed", "did not answer within 1 second"],
    ["a closed connection", {}, hangsUp, "failed", "closed the connection before it answered"],
  ] as const)("judges %s", async (_, settings, answers, outcome, reason) => {
    if (answers) answer = answers;
    const { monitor } = await acme.create(check(settings));
    await acme.pass(0);
    expect(await latest(monitor.id)).toMatchObject({ outcome, reason });
  });

  it("fails when nothing listens, and when a name leads nowhere", async () => {
    const unused = createTcpServer();
    const port = await listening(unused);
    await new Promise((resolve) => unused.close(resolve));
    const { monitor } = await acme.create(check({ url: `http://127.0.0.1:${port}/` }));
    const { monitor: named } = await acme.create(check({ url: "http://whence-test.invalid/" }));
    await acme.pass(0);
    expect(await latest(monitor.id)).toMatchObject({ outcome: "failed", reason: "refused the connection" });
    expect((await latest(named.id))?.reason).toMatch(/^has a name that could not be resolved/);
  });

  it("fails when its certificate expires soon", async () => {
    const receiver = await startHttpsReceiver();
    acme.service.clock.now = Date.now();
    const secure = { url: `https://localhost:${receiver.port}/`, statuses: [204] };
    const made = await Promise.all(
      // The receiver's certificate is valid for two days.
      [7, 1, 0].map((days) => acme.create(check({ ...secure, certificate_days: days }))),
    );
    await acme.pass(0);
    const results = await Promise.all(made.map(({ monitor }) => latest(monitor.id)));
    expect(results.map((result) => result?.outcome)).toEqual(["failed", "passed", "passed"]);
    expect(results[0]?.reason).toMatch(/^has a certificate that expires on \d{4}-\d{2}-\d{2}$/);
    await receiver.close();
  });

  it("refuses a private address, and says which variable allows it", async () => {
    mayReach = addressGuard([]);
    const { status, body } = await acme.ask("POST", "", check());
    expect(status).toBe(422);
    expect(body.detail[0]).toMatchObject({
      loc: ["body", "check", "url"],
      msg: expect.stringContaining("WHENCE_ALLOWED_NETWORKS"),
    });
  });

  it("doesn't check a name that leads to a private address, opens no incident for it, and says why", async () => {
    mayReach = addressGuard([]);
    const { monitor } = await acme.create(check({ url: url.replace("127.0.0.1", "localhost") }));
    await acme.pass(0);
    expect(await acme.read(monitor.id)).toMatchObject({
      ...{ state: "waiting", failing_since: null },
      last_result: { outcome: "not-checked", reason: expect.stringContaining("WHENCE_ALLOWED_NETWORKS") },
    });
    expect([asked, await acme.incidents()]).toEqual([[], []]);
  });

  it("is checked once after a time in which no analyzer ran", async () => {
    const { monitor } = await acme.create(check());
    await acme.pass(0);
    await acme.pass(24 * 60);
    expect(asked).toHaveLength(2);
    expect(await acme.read(monitor.id)).toMatchObject({ next_check_at: "2026-03-02T12:01:00.000Z" });
  });

  it("is checked by another analyzer when the first one dies", async () => {
    const { monitor } = await acme.create(check());
    const { monitors } = acme.service.control;
    const dying = { holdMs: 2 * minuteMs, max: 10 };
    expect(await monitors.take(new Date(acme.service.clock.now), dying)).toMatchObject([{ id: monitor.id }]);
    await acme.pass(1.9);
    expect(asked).toHaveLength(0);
    await acme.pass(0.1);
    expect(asked).toHaveLength(1);
  });

  it("is tested without counting", async () => {
    const { monitor } = await acme.create(check());
    answer = fails;
    const { body } = await acme.ask("POST", `/${monitor.id}/test`);
    expect(body).toMatchObject({ outcome: "failed", reason: "answered 503" });
    expect(await acme.read(monitor.id)).toMatchObject({ state: "waiting", last_result: null });
  });

  it("uses its new settings at once, and keeps its kind", async () => {
    const { monitor } = await acme.create(check({ interval_minutes: 60 }));
    await acme.pass(0);
    answer = fails;
    await acme.pass(1);
    const { body } = await acme.ask("PUT", `/${monitor.id}`, { ...check(), name: "Shop again", severity: "low" });
    expect(body).toMatchObject({ id: monitor.id, name: "Shop again", severity: "low", check: { interval_minutes: 1 } });
    await acme.pass(0);
    expect(await acme.incidents()).toMatchObject([{ title: `Shop again: ${url} answered 503`, severity: "low" }]);
    const other = { name: "Shop", check: { kind: "check-in", slug: "s", schedule: { type: "interval", minutes: 1 } } };
    expect((await acme.ask("PUT", `/${monitor.id}`, other)).status).toBe(422);
  });

  it("names the service that answers at its host, as telemetry has seen it called", async () => {
    const stored = storedEvent(acme.acme.id, { receivedAt: new Date(acme.service.clock.now - minuteMs).toISOString() });
    const request = { method: "GET", path: "/health", headers: { host: new URL(url).host } };
    const event = { ...stored.event, timestamp: stored.receivedAt, request };
    await acme.service.events.insert([{ ...stored, event, service: "storefront", retentionDays: 36_500 }]);
    answer = fails;
    await acme.create(check());
    await acme.pass(0);
    expect(await acme.incidents()).toMatchObject([{ service: "storefront" }]);
  });

  it("opens an incident without a service when telemetry can't be read", async () => {
    answer = fails;
    await acme.create(check());
    const forScope = () => {
      throw new Error("the event store is gone");
    };
    await acme.pass(0, 1, { events: { forScope } });
    expect(await acme.incidents()).toMatchObject([{ service: null }]);
  });

  it("withholds alerts beyond the incidents that sources may open in an hour, and opens them later", async () => {
    const thresholds = (await acme.ask("GET", "/api/thresholds")).body;
    await acme.ask("PUT", "/api/thresholds", { ...thresholds, source_incidents_per_hour: 1 });
    answer = fails;
    const made = [await acme.create(check()), await acme.create(check())];
    await acme.pass(0);
    await acme.pass(1);
    expect(await acme.incidents()).toHaveLength(1);
    const withheld = (await Promise.all(made.map(({ monitor }) => acme.read(monitor.id)))).filter(
      (one) => one.withheld,
    );
    expect(withheld).toMatchObject([{ state: "alerting", incident_id: null }]);
    await acme.pass(60);
    expect(await acme.incidents()).toHaveLength(2);
  });
});

function redirects(...[, response]: Parameters<RequestListener>): void {
  response.writeHead(302, { location: "https://elsewhere.example/" }).end();
}

function hangsUp(...[request]: Parameters<RequestListener>): void {
  request.socket.destroy();
}
