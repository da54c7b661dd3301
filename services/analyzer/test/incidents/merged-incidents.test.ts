import { randomUUID } from "node:crypto";
import { type NotificationRuleChange, notificationRuleChangeSchema, secondMs } from "@whence/protocol";
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

const organization = () => makeOrganization(service, randomUUID());

/** Stores what was just reported and decides about it; `later` makes second decisions. */
async function receive(
  acme: TestOrganization,
  one: FailureEvent,
): Promise<{ waits: boolean; later: () => Promise<unknown> }> {
  const stored = failureEvent(service, acme.id, { ago: 100, ...one });
  await service.events.insert([stored]);
  const message = { scope_id: acme.id, failures: [failureOf(stored)] };
  const postponed = await decide(message, { number: 1 });
  return { waits: postponed !== undefined, later: () => decide(message, { number: 2 }) };
}

/** Reports everything one second apart, and looks at it again when it is time. */
async function receiveInOrder(acme: TestOrganization, events: readonly FailureEvent[]): Promise<void> {
  const laters: (() => Promise<unknown>)[] = [];
  for (const one of events) {
    const { waits, later } = await receive(acme, one);
    if (waits) laters.push(later);
    service.clock.now += secondMs;
  }
  service.clock.now += 6 * secondMs;
  for (const later of laters) await later();
}

async function occasionsOf({ id }: TestOrganization): Promise<string[]> {
  const known = await service.control.notifications.occasions(new Date(service.clock.now), 1_000);
  return known.filter(({ scopeId }) => scopeId === id).map(({ incidentId, kind }) => `${incidentId} ${kind}`);
}

async function notifyOfEverything({ id }: TestOrganization): Promise<void> {
  const change: NotificationRuleChange = notificationRuleChangeSchema.parse({
    ...{ name: "On call", events: ["opened", "completed"], emails: ["oncall@acme.example"] },
  });
  const by = { id: "usr_1", name: "Ada" };
  await service.control.scope(id).notifications.create({ change, secrets: {}, by, now: new Date() });
}

async function report({ id }: TestOrganization, incidentId: string): Promise<void> {
  const { incidents } = service.control.scope(id);
  const now = new Date(service.clock.now);
  await incidents.complete(incidentId, (await incidents.begin(incidentId, now)) ?? 0, reportWith(), now);
}

describe("an incident that opened before the deeper failure was reported", () => {
  const chain = (trace: string): readonly FailureEvent[] => [
    { service: "payments", trace },
    { service: "orders", trace, called: "payments" },
    { service: "storefront", trace, called: "orders" },
  ];

  it.each([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[1, 2, 0]], [[2, 0, 1]], [[2, 1, 0]]])(
    "ends up as one with it, reported in the order %j",
    async (order) => {
      const acme = await organization();
      const all = chain(randomUUID());
      await receiveInOrder(
        acme,
        order.flatMap((index) => all[index] ?? []),
      );
      expect(await shown(service, acme)).toEqual({ payments: ["orders", "storefront"] });
    },
  );

  it("redirects to the incident it belongs to, and is in no list", async () => {
    const acme = await organization();
    const [payments, orders, storefront] = chain(randomUUID());
    if (!payments || !orders || !storefront) throw new Error("three are reported");
    const first = await receive(acme, storefront);
    const [opened] = await incidentsOf(service, acme);
    await report(acme, opened?.id ?? "");
    await receive(acme, payments);
    expect(await shown(service, acme)).toEqual({ storefront: [], payments: [] });
    await receive(acme, orders);
    service.clock.now += 6 * secondMs;
    await first.later();
    const [left, ...others] = await incidentsOf(service, acme);
    expect(others).toEqual([]);
    expect(left?.joined_failures).toMatchObject([{ service: "orders" }, { service: "storefront", events: 1 }]);
    const headers = { "x-api-key": acme.key };
    const merged = await service.app.inject({ url: `/api/incidents/${opened?.id}`, headers });
    expect(merged.json()).toMatchObject({ status: "merged", merged_into: left?.id, title: "boom" });
    const listed = await service.app.inject({ url: "/api/incidents?status=merged", headers });
    expect(listed.json().incidents).toMatchObject([{ id: opened?.id }]);
    await first.later();
    expect((await incidentsOf(service, acme))[0]?.joined_failures).toHaveLength(2);
  });

  it("sends its notification once, when it is known to stay", async () => {
    const acme = await organization();
    await notifyOfEverything(acme);
    const { later } = await receive(acme, { service: "orders", trace: randomUUID(), called: "payments" });
    const [incident] = await incidentsOf(service, acme);
    await report(acme, incident?.id ?? "");
    expect(await occasionsOf(acme)).toEqual([]);
    service.clock.now += 6 * secondMs;
    await later();
    expect(await occasionsOf(acme)).toEqual([`${incident?.id} completed`, `${incident?.id} opened`]);
  });

  it("sends its notification a minute later if it isn't checked again", async () => {
    const acme = await organization();
    await notifyOfEverything(acme);
    await receive(acme, { service: "orders", trace: randomUUID(), called: "payments" });
    service.clock.now += 66 * secondMs;
    expect(await occasionsOf(acme)).toEqual([]);
    service.clock.now += secondMs;
    expect(await occasionsOf(acme)).toHaveLength(1);
  });

  it("sends no notification when it was merged", async () => {
    const acme = await organization();
    await notifyOfEverything(acme);
    const [payments, orders, storefront] = chain(randomUUID());
    if (!payments || !orders || !storefront) throw new Error("three are reported");
    await receiveInOrder(acme, [storefront, payments, orders]);
    const [left] = await incidentsOf(service, acme);
    expect(await occasionsOf(acme)).toEqual([`${left?.id} opened`]);
  });

  it("stays separate from an unrelated failure", async () => {
    const acme = await organization();
    await receiveInOrder(acme, [
      { service: "storefront", trace: randomUUID(), called: "orders" },
      { service: "payments", trace: randomUUID() },
    ]);
    expect(await shown(service, acme)).toEqual({ storefront: [], payments: [] });
  });
});
