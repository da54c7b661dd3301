import { randomUUID } from "node:crypto";
import { type Activity, type Incident, secondMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { reportWith } from "../ended-report.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";
import { type FailureEvent, failureEvent, failureOf, incidentsOf, shown } from "./reported-failures.ts";

let service: TestService;
let decide: ReturnType<typeof failureHandler>;

beforeAll(async () => {
  service = await startTestService();
  const { control, events, metrics, clock } = service;
  decide = failureHandler({
    ...{ control, events, metrics, clock: () => clock.now },
    ...{ logger: silent, relayOutbox: () => undefined },
  });
});
afterAll(() => service.close());

async function receive({ id }: TestOrganization, one: FailureEvent): Promise<void> {
  const stored = failureEvent(service, id, one);
  await service.events.insert([stored]);
  await decide({ scope_id: id, failures: [failureOf(stored)] }, { number: 1 });
  service.clock.now += secondMs;
}

async function report({ id }: TestOrganization, incidentId: string): Promise<void> {
  const { incidents } = service.control.scope(id);
  const now = new Date(service.clock.now);
  await incidents.complete(incidentId, (await incidents.begin(incidentId, now)) ?? 0, reportWith(), now);
}

/** An organization with a finished incident of each service, and their ids in that order. */
async function withIncidents(...services: readonly string[]): Promise<{ acme: TestOrganization; ids: string[] }> {
  const acme = await makeOrganization(service, randomUUID());
  for (const name of services) await receive(acme, { service: name });
  const ids = (await incidentsOf(service, acme)).map(({ id }) => id);
  for (const id of ids) await report(acme, id);
  return { acme, ids };
}

async function post({ cookie }: TestOrganization, path: string, payload: object = {}) {
  return service.app.inject({ method: "POST", url: `/api/incidents/${path}`, headers: { cookie }, payload });
}

async function read({ key }: TestOrganization, id: string): Promise<Incident> {
  return (await service.app.inject({ url: `/api/incidents/${id}`, headers: { "x-api-key": key } })).json();
}

const done = ({ activity = [] }: Incident): string[] =>
  activity.map(({ kind, by, incident }: Activity) => `${by?.name} ${kind} ${incident?.id}`);

describe("merging incidents by hand", () => {
  it("keeps the report of the one that they are merged into, which counts their failures from then on", async () => {
    const { acme, ids } = await withIncidents("cart", "orders", "stock");
    const [cart = "", orders = "", stock = ""] = ids;
    const answer = await post(acme, `${cart}/merge`, { ids: [orders, stock] });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: cart, status: "completed", report: { confidence: { score: 0.7 } } });
    await receive(acme, { service: "orders" });
    expect(await shown(service, acme)).toEqual({ cart: ["orders", "stock"] });
    const kept = await read(acme, cart);
    expect(kept.occurrences?.events).toBe(1);
    expect(kept.joined_failures).toMatchObject([
      { service: "orders", rule: "merged-by-hand", merged_from: orders, events: 2 },
      { service: "stock", merged_from: stock, events: 1 },
    ]);
    expect(await read(acme, orders)).toMatchObject({ status: "merged", merged_into: cart });
  });

  it("ends when the incident that they were merged into is deleted", async () => {
    const { acme, ids } = await withIncidents("cart", "orders");
    const [cart = "", orders = ""] = ids;
    await post(acme, `${cart}/merge`, { ids: [orders] });
    const { cookie } = acme;
    await service.app.inject({ method: "DELETE", url: `/api/incidents/${cart}`, headers: { cookie } });
    expect(await read(acme, orders)).toMatchObject({ status: "completed", report: { confidence: { score: 0.7 } } });
    await receive(acme, { service: "orders" });
    expect(await shown(service, acme)).toEqual({ orders: [] });
    expect((await read(acme, orders)).occurrences?.events).toBe(2);
  });

  it("is undone, with what the failures counted since", async () => {
    const { acme, ids } = await withIncidents("cart", "orders");
    const [cart = "", orders = ""] = ids;
    await post(acme, `${cart}/merge`, { ids: [orders] });
    await receive(acme, { service: "orders" });
    const answer = await post(acme, `${orders}/unmerge`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: orders, status: "completed", occurrences: { events: 2 } });
    expect(answer.json()).not.toHaveProperty("merged_into");
    await receive(acme, { service: "orders" });
    expect(await shown(service, acme)).toEqual({ cart: [], orders: [] });
    expect((await read(acme, orders)).occurrences?.events).toBe(3);
    expect((await read(acme, cart)).occurrences?.events).toBe(1);
  });

  it("is in the activity of both incidents, and in the audit log", async () => {
    const { acme, ids } = await withIncidents("cart", "orders");
    const [cart = "", orders = ""] = ids;
    await post(acme, `${cart}/merge`, { ids: [orders] });
    service.clock.now += secondMs;
    await post(acme, `${orders}/unmerge`);
    const [kept, other] = [await read(acme, cart), await read(acme, orders)];
    const name = kept.activity?.[0]?.by?.name;
    expect(done(kept)).toEqual([`${name} split-off ${orders}`, `${name} merged ${orders}`]);
    expect(done(other)).toEqual([`${name} unmerged ${cart}`, `${name} merged-into ${cart}`]);
    const { cookie } = acme;
    const { entries } = (await service.app.inject({ url: "/api/audit", headers: { cookie } })).json();
    expect(entries.slice(0, 2)).toMatchObject([
      { action: "incident.unmerged", target: orders },
      { action: "incident.merged", target: orders },
    ]);
  });

  it("that the deletion of the other incident ends is in its activity, and in the audit log", async () => {
    const { acme, ids } = await withIncidents("cart", "orders");
    const { cookie } = acme;
    const [cart = "", orders = ""] = ids;
    await post(acme, `${cart}/merge`, { ids: [orders] });
    service.clock.now += secondMs;
    await service.app.inject({ method: "DELETE", url: "/api/services/cart", headers: { cookie } });
    const [unmerged, merged] = done(await read(acme, orders));
    expect([unmerged, merged]).toEqual([
      expect.stringMatching(new RegExp(`^owner@.* unmerged ${cart}$`)),
      expect.stringMatching(` merged-into ${cart}$`),
    ]);
    const { entries } = (await service.app.inject({ url: "/api/audit", headers: { cookie } })).json();
    expect(entries.slice(0, 2)).toMatchObject([
      { action: "service.deleted", target: "cart" },
      { action: "incident.unmerged", target: orders },
    ]);
  });

  it("moves what was merged before along, and separates each on its own", async () => {
    const { acme, ids } = await withIncidents("cart", "orders", "stock");
    const [cart = "", orders = "", stock = ""] = ids;
    await post(acme, `${orders}/merge`, { ids: [stock] });
    await post(acme, `${cart}/merge`, { ids: [orders] });
    expect(await shown(service, acme)).toEqual({ cart: ["orders", "stock"] });
    await post(acme, `${orders}/unmerge`);
    expect(await shown(service, acme)).toEqual({ cart: ["stock"], orders: [] });
    await post(acme, `${stock}/unmerge`);
    expect(await shown(service, acme)).toEqual({ cart: [], orders: [], stock: [] });
  });

  it("adds up two incidents of one failure, whose newer one has it again afterward", async () => {
    const { acme, ids } = await withIncidents("cart");
    const [older = ""] = ids;
    service.clock.now += 30 * 24 * 3_600 * secondMs;
    await receive(acme, { service: "cart" });
    const newer = (await incidentsOf(service, acme)).find(({ id }) => id !== older)?.id ?? "";
    await report(acme, newer);
    await post(acme, `${older}/merge`, { ids: [newer] });
    await receive(acme, { service: "cart" });
    expect((await read(acme, older)).occurrences?.events).toBe(3);
    await post(acme, `${newer}/unmerge`);
    await receive(acme, { service: "cart" });
    expect((await read(acme, older)).occurrences?.events).toBe(2);
    expect((await read(acme, newer)).occurrences?.events).toBe(2);
  });

  it("leaves no failure behind that continues on its own", async () => {
    const { acme, ids } = await withIncidents("cart", "orders");
    const [cart = "", orders = ""] = ids;
    await post(acme, `${cart}/merge`, { ids: [orders] });
    for (let minute = 0; minute < 7; minute += 1) {
      service.clock.now += 60 * secondMs;
      await receive(acme, { service: "orders" });
    }
    expect(await shown(service, acme)).toEqual({ cart: ["orders"] });
  });

  it("merges all or none", async () => {
    const { acme, ids } = await withIncidents("cart", "orders", "stock");
    const [cart = "", orders = "", stock = ""] = ids;
    const { acme: other, ids: others } = await withIncidents("cart");
    const code = async (path: string, payload: object) => (await post(acme, path, payload)).json().code;
    expect(await code(`${cart}/merge`, { ids: [orders, cart] })).toBe("WHENCE_ERR_INCIDENT_MERGED_WITH_ITSELF");
    expect(await code(`${cart}/merge`, { ids: [orders, ...others] })).toBe("WHENCE_ERR_INCIDENT_UNKNOWN");
    expect((await post(other, `${cart}/merge`, { ids: [orders] })).statusCode).toBe(404);
    expect((await post(other, `${cart}/unmerge`)).statusCode).toBe(404);
    expect(await code(`${cart}/unmerge`, {})).toBe("WHENCE_ERR_INCIDENT_NOT_MERGED");
    await receive(acme, { service: "payments" });
    const running = (await incidentsOf(service, acme)).at(-1)?.id ?? "";
    expect(await code(`${cart}/merge`, { ids: [orders, running] })).toBe("WHENCE_ERR_INCIDENT_UNDER_INVESTIGATION");
    expect(await shown(service, acme)).toEqual({ cart: [], orders: [], stock: [], payments: [] });
    await post(acme, `${cart}/merge`, { ids: [stock] });
    expect(await code(`${orders}/merge`, { ids: [stock] })).toBe("WHENCE_ERR_INCIDENT_MERGED");
    expect(await code(`${stock}/merge`, { ids: [orders] })).toBe("WHENCE_ERR_INCIDENT_MERGED");
  });

  it("takes between 1 and 100 incidents", async () => {
    const { acme, ids } = await withIncidents("cart");
    const status = async (wanted: readonly string[]) =>
      (await post(acme, `${ids[0]}/merge`, { ids: wanted })).statusCode;
    const named = Array.from({ length: 101 }, (_, index) => `inc_${index}`);
    expect(await status([])).toBe(422);
    expect(await status(named)).toBe(422);
    expect(await status(named.slice(0, 100))).toBe(404);
  });
});
