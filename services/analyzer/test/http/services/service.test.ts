import { dayMs, hourMs, minuteMs, type ServiceDetail, serviceDetailSchema } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../../stored-event.ts";
import {
  addKey,
  makeOrganization,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  // The store forgets what is too old by its own clock.
  service.clock.now = Math.floor(Date.now() / hourMs) * hourMs + 30 * minuteMs;
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const ask = (name: string, query = "", who = acme) =>
  service.app.inject({ url: `/api/services/${name}${query}`, headers: { cookie: who.cookie } });

async function read(name: string, query = ""): Promise<ServiceDetail> {
  return serviceDetailSchema.parse((await ask(name, query)).json());
}

const ago = (ms: number): string => new Date(service.clock.now - ms).toISOString();

type Changes = Partial<Omit<StoredEvent, "event">> & { readonly event?: Partial<StoredEvent["event"]> };

/** An event that was sent and received so long ago. */
function sent(name: string, agoMs: number, { event, ...changes }: Changes): StoredEvent {
  const stored = storedEvent(acme.id, { service: name, receivedAt: ago(agoMs), fingerprint: "", ...changes });
  return { ...stored, event: { ...stored.event, timestamp: ago(agoMs), ...event } };
}

const beat = (name: string, agoMs: number, { event, ...changes }: Changes = {}) =>
  sent(name, agoMs, { ...changes, event: { type: "heartbeat", level: "info", ...event } });
const failure = (name: string, agoMs: number, changes: Changes = {}) =>
  sent(name, agoMs, { fingerprint: "v1:2222222222222222", ...changes });

describe("a service", () => {
  it("says which processes live, shut down, crashed, or went silent", async () => {
    const fatal = { level: "critical", mechanism: { type: "uncaughtException", handled: false } } as const;
    await service.events.insert([
      beat("checkout", 150_000, { instance: "live" }),
      beat("checkout", 150_001, { instance: "silent" }),
      beat("checkout", 2_000, { instance: "crashed" }),
      failure("checkout", 1_000, { instance: "crashed", event: fatal }),
      beat("checkout", 5_000, { instance: "stopped" }),
      sent("checkout", 4_000, { instance: "stopped", event: { type: "exit" } }),
    ]);
    const { processes, env, last_seen_at, has_more_processes } = await read("checkout");
    expect(processes.map(({ instance, state }) => [instance, state])).toEqual([
      ["crashed", "crashed"],
      ["stopped", "shut-down"],
      ["live", "live"],
      ["silent", "silent"],
    ]);
    expect([env, last_seen_at, has_more_processes]).toEqual(["PROD", ago(1_000), false]);
  });

  it("has no live process when all have crashed just now", async () => {
    const fatal = { level: "critical", mechanism: { type: "uncaughtException", handled: false } } as const;
    const crashed = ["a", "b", "c"].map((instance) => failure("fallen", 1_000, { instance, event: fatal }));
    await service.events.insert(crashed);
    expect((await read("fallen")).processes.map(({ state }) => state)).toEqual(["crashed", "crashed", "crashed"]);
    const listed = await service.app.inject({ url: "/api/services", headers: { cookie: acme.cookie } });
    const { services } = listed.json();
    expect(services.find((one: { service: string }) => one.service === "fallen")).toMatchObject({ processes: 0 });
  });

  it("counts failures and requests by steps and by release, since its start", async () => {
    const attributes = { requests: 100, failed_requests: 7, rss_bytes: 5_000, event_loop_delay_ms: 12 };
    await service.events.insert([
      beat("cart", 3 * hourMs, { instance: "old", release: "1.0", event: { attributes: { requests: 50 } } }),
      beat("cart", hourMs, { instance: "new", release: "1.1", event: { attributes } }),
      failure("cart", hourMs, { instance: "new", release: "1.1" }),
      failure("cart", 26 * hourMs, { instance: "older", release: "0.9" }),
    ]);
    const { course, ...cart } = await read("cart");
    expect(cart).toMatchObject({ step_seconds: 600, failures: 1, requests: 150, failed_requests: 7 });
    expect(course).toHaveLength(2);
    expect(course[1]).toMatchObject({ failures: 1, requests: 100, failed_requests: 7, processes: 1 });
    expect(course[1]).toMatchObject({ memory_bytes: 5_000, event_loop_delay_ms: 12 });
    expect(course[0]).toMatchObject({ failures: 0, memory_bytes: null, event_loop_delay_ms: null });
    expect(cart.releases).toMatchObject([
      { release: "1.1", since: ago(hourMs), live_processes: 0, failures: 1, requests: 100, failed_requests: 7 },
      { release: "1.0", since: ago(3 * hourMs), live_processes: 0, failures: 0, requests: 50, failed_requests: 0 },
    ]);
    expect(cart.deploys.map(({ release }) => release)).toEqual(["1.0", "1.1"]);
  });

  it("counts sessions by hour and release, one that failed nothing, too", async () => {
    const session = (id: string, agoMs: number, release: string, { crashed = 0, unhandled = 0 } = {}) => ({
      ...{ scopeId: acme.id, service: "page", env: "PROD", release, id, crashed, unhandled, sessions: 1 },
      ...{ at: ago(agoMs), receivedAt: ago(agoMs) },
    });
    await service.events.insert([failure("page", hourMs, { instance: "a", release: "2.0" })]);
    await service.events.insertSessions([
      ...[session("1", hourMs, "2.0", { crashed: 1 }), session("2", hourMs, "2.0"), session("3", 2 * hourMs, "1.9")],
      session("4", 2 * hourMs, "1.9", { unhandled: 1 }),
    ]);
    const page = await read("page");
    expect(page).toMatchObject({ sessions: 4, crashed_sessions: 1, unhandled_sessions: 1 });
    const { session_hours: hours, releases } = page;
    expect(hours.map((hour) => [hour.sessions, hour.crashed, hour.unhandled])).toEqual([
      ...[
        [2, 0, 1],
        [2, 1, 0],
      ],
    ]);
    // From the full hour in which the span begins.
    const beginsIn = Math.floor(Date.parse(page.from) / hourMs) * hourMs;
    expect(page.sessions_from).toBe(new Date(beginsIn).toISOString());
    expect(releases).toMatchObject([
      { release: "2.0", failures: 1, sessions: 2, crashed_sessions: 1, unhandled_sessions: 0 },
      { release: "1.9", failures: 0, sessions: 2, crashed_sessions: 0, unhandled_sessions: 1 },
    ]);
    await service.events.insert([beat("worker-of-page", 1_000)]);
    expect(await read("worker-of-page")).toMatchObject({
      ...{ sessions: null, crashed_sessions: null, unhandled_sessions: null, sessions_from: null, session_hours: [] },
    });
  });

  it("compares the releases with the most sessions when there are too many, even invented ones", async () => {
    const session = (id: number, agoMs: number, release: string) => ({
      ...{ scopeId: acme.id, service: "crowded", env: "PROD", release, id: `${id}`, crashed: 0, unhandled: 0 },
      ...{ sessions: 1, at: ago(agoMs), receivedAt: ago(agoMs) },
    });
    const invented = Array.from({ length: 60 }, (_, index) => session(index, 5 * hourMs, `invented-${index}`));
    const real = [100, 101].map((id) => session(id, hourMs, "2.0"));
    await service.events.insertSessions([...invented, ...real]);
    const { releases } = await read("crowded");
    expect(releases).toHaveLength(50);
    expect(releases.find(({ release }) => release === "2.0")).toMatchObject({ sessions: 2 });
  });

  it("has no requests, rather than none failed, when its processes don't count them", async () => {
    await service.events.insert([beat("worker", 1_000)]);
    expect(await read("worker")).toMatchObject({ requests: null, failed_requests: null, failures: 0 });
  });

  it("counts as restarts the processes that followed an ended one on its host, of the same release", async () => {
    const life = (instance: string, agoMs: number, changes: Changes = {}) =>
      beat("crashing", agoMs, { instance, ...changes });
    await service.events.insert([
      life("first", 50 * minuteMs),
      life("second", 40 * minuteMs),
      life("third", 30 * minuteMs),
      life("deployed", 20 * minuteMs, { release: "2.0" }),
      life("elsewhere", 10 * minuteMs, { host: { ...storedEvent(acme.id).host, name: "h2" } }),
    ]);
    expect((await read("crashing", "?span=1h")).restarts).toBe(2);
  });

  it("has its open incidents, and no resolved or foreign ones", async () => {
    const { incidents } = service.control.scope(acme.id);
    const open = (title: string, changes: { service?: string; env?: string } = {}) =>
      incidents.open({
        ...{ title, severity: "high", service: "cart", env: "PROD", fingerprint: null, ...changes },
        trigger: { kind: "analyze", agent_id: null, files: 0 },
        decision: { outcome: "opened", rule: "new-failure", reason: "" },
        input: { kind: "text", errorLog: "boom", files: [] },
        now: new Date(service.clock.now),
      });
    const { id } = await open("a failure");
    const { id: resolved } = await open("a resolved one");
    await open("of another service", { service: "billing" });
    await open("of another environment", { env: "STAGING" });
    const actor = { kind: "member", id: "m", name: "Ada" } as const;
    const now = new Date(service.clock.now);
    await service.control.scope(acme.id).lifecycle.change(resolved, { action: "resolve", in: "now" }, actor, now);
    expect((await read("cart")).incidents).toMatchObject([{ id, title: "a failure", severity: "high" }]);
  });

  it("is shown in PROD if it reports there, and in another environment on request", async () => {
    await service.events.insert([
      beat("staged", 9_000, { env: "PROD" }),
      beat("staged", 1_000, { env: "STAGING" }),
      beat("only-staged", 1_000, { env: "STAGING" }),
    ]);
    expect(await read("staged")).toMatchObject({ env: "PROD", envs: ["STAGING", "PROD"] });
    expect(await read("staged", "?env=STAGING")).toMatchObject({ env: "STAGING" });
    expect(await read("only-staged")).toMatchObject({ env: "STAGING" });
    expect((await ask("staged", "?env=DEV")).json()).toMatchObject({
      code: "WHENCE_ERR_SERVICE_UNKNOWN",
      detail: "no telemetry of a service staged is kept in DEV: check its name",
    });
  });

  it("covers the requested span, within the retention of telemetry", async () => {
    const spanOf = async (query: string) => {
      const { from, to, step_seconds } = await read("cart", query);
      return [(Date.parse(to) - Date.parse(from)) / hourMs, step_seconds];
    };
    expect(await spanOf("?span=1h")).toEqual([1, 60]);
    expect(await spanOf("?span=24h")).toEqual([24, 600]);
    expect(await spanOf("?span=7d")).toEqual([7 * 24, 3_600]);
    await service.control.organizations.configure(acme.id, {
      ...{ retentionDays: 2, eventsPerDay: null, inputBytesMax: null, plainUsers: false, passwordsOff: false },
    });
    const { from, retention_days } = await read("cart", "?span=7d");
    expect(retention_days).toBe(2);
    expect(Date.parse(from)).toBeGreaterThanOrEqual(service.clock.now - 2 * dayMs);
    expect((await ask("cart", "?span=2h")).statusCode).toBe(422);
  });

  it("is read with a key that reads, and hidden from other organizations", async () => {
    const key = await addKey(service, acme.id, "read");
    const answer = await service.app.inject({ url: "/api/services/cart", headers: { "x-api-key": key } });
    expect(answer.statusCode).toBe(200);
    expect((await ask("cart", "", await makeOrganization(service, "other"))).statusCode).toBe(404);
    expect((await service.app.inject({ url: "/api/services/cart" })).statusCode).toBe(401);
  });
});
