import { randomUUID } from "node:crypto";
import { incidentThresholdsSchema, minuteMs, secondMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchMs } from "../../src/incidents/correlate/find-relation.ts";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";
import {
  type FailureEvent,
  failureEvent as failureEventOf,
  failureOf,
  incidentsOf as incidentsIn,
  settledMs,
  shown as shownIn,
} from "./reported-failures.ts";

let service: TestService;
let decide: ReturnType<typeof failureHandler>;

beforeAll(async () => {
  service = await startTestService();
  const { control, events, metrics, clock } = service;
  decide = failureHandler({
    control,
    events,
    metrics,
    clock: () => clock.now,
    logger: silent,
    relayOutbox: () => undefined,
  });
});
afterAll(() => service.close());

/** Stores the events and decides about them in this order, one at a time. */
async function receive({ id }: TestOrganization, events: readonly FailureEvent[]): Promise<void> {
  const stored = events.map((one) => failureEvent(id, one));
  await service.events.insert(stored);
  for (const one of stored) await decide({ scope_id: id, failures: [failureOf(one)] }, { number: 1 });
}

const failureEvent = (scopeId: string, one: FailureEvent) => failureEventOf(service, scopeId, one);
const incidentsOf = (of: TestOrganization) => incidentsIn(service, of);
const shown = (of: TestOrganization) => shownIn(service, of);
const organization = () => makeOrganization(service, randomUUID());

const traces = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

describe("a failure that follows from another service's", () => {
  it("joins its incident, which shows it with the reason", async () => {
    const acme = await organization();
    const [one = "", two = ""] = traces(2);
    await receive(acme, [
      { service: "payments", trace: one },
      { service: "payments", trace: two },
      { service: "orders", trace: one, called: "payments", message: "payments answered 500" },
      { service: "orders", trace: two, called: "payments" },
    ]);
    const [incident, ...others] = await incidentsOf(acme);
    expect(others).toEqual([]);
    expect(incident).toMatchObject({ service: "payments", occurrences: { events: 2 } });
    expect(incident?.joined_failures).toMatchObject([
      {
        ...{ service: "orders", title: "payments answered 500", rule: "failed-call", events: 2 },
        reason: "in 2 of its 2 traces, failed calls lead to the failure in payments",
      },
    ]);
    const list = await service.app.inject({ url: "/api/incidents", headers: { "x-api-key": acme.key } });
    expect(list.json().incidents[0].also_in).toEqual(["orders"]);
  });

  it("hands its incident over when that one is reported later, and is investigated again under its name", async () => {
    const acme = await organization();
    const [trace = ""] = traces(1);
    await receive(acme, [{ service: "orders", trace, called: "payments" }]);
    const { incidents } = service.control.scope(acme.id);
    const [before] = await incidentsOf(acme);
    const attempt = await incidents.begin(before?.id ?? "", new Date(service.clock.now));
    await receive(acme, [{ service: "payments", trace, message: "no such account" }]);
    const [after, ...others] = await incidentsOf(acme);
    expect(others).toEqual([]);
    expect(after).toMatchObject({ id: before?.id, service: "payments", title: "no such account", status: "queued" });
    expect(after?.joined_failures).toMatchObject([{ service: "orders", events: 1 }]);
    expect(await incidents.input(after?.id ?? "")).not.toEqual({ kind: "event", eventId: before?.trigger });
    const failed = { code: "X", message: "of the one before" };
    expect(await incidents.fail(after?.id ?? "", attempt ?? 0, failed, new Date(service.clock.now))).toBe(false);
    const asked = (await service.control.outbox.pending(1_000)).filter(({ body }) => body.includes(after?.id ?? "-"));
    expect(asked).toHaveLength(2);
  });

  it("is one incident with all that follow from it, in whatever order they are reported", async () => {
    const chain = (trace: string): FailureEvent[] => [
      { service: "payments", trace, ago: settledMs + 20 },
      { service: "orders", trace, called: "payments", ago: settledMs + 10 },
      { service: "storefront", trace, called: "orders" },
    ];
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 1, 0],
    ]) {
      const acme = await organization();
      const [trace = ""] = traces(1);
      // All are stored before the first is decided about: each waited for the others' batches.
      const stored = chain(trace).map((one) => failureEvent(acme.id, one));
      await service.events.insert(stored);
      for (const index of order) {
        const failures = stored.slice(index, index + 1).map(failureOf);
        await decide({ scope_id: acme.id, failures }, { number: 1 });
      }
      expect(await shown(acme), `reported in the order ${order}`).toEqual({ payments: ["orders", "storefront"] });
    }
  });

  it("opens its incident at once, and is checked again once the called service will have reported", async () => {
    const acme = await organization();
    const [trace = ""] = traces(1);
    const stored = failureEvent(acme.id, { service: "orders", trace, called: "payments", ago: secondMs });
    await service.events.insert([stored]);
    const message = { scope_id: acme.id, failures: [failureOf(stored)] };
    expect(await decide(message, { number: 1 })).toMatchObject({ againInMs: batchMs - secondMs });
    expect(await shown(acme)).toEqual({ orders: [] });
    expect(await decide(message, { number: 2 })).toBeUndefined();
    expect(await shown(acme)).toEqual({ orders: [] });
  });
});

describe("a failure that doesn't follow from another", () => {
  it("opens its own incident next to another in its traces to which no failed call leads", async () => {
    const acme = await organization();
    const all = traces(5);
    await receive(
      acme,
      all.map((trace) => ({ service: "payments", trace })),
    );
    await receive(
      acme,
      all.map((trace) => ({ service: "orders", trace })),
    );
    await receive(
      acme,
      all.map((trace) => ({ service: "shipping", trace, called: "catalog" })),
    );
    expect(await shown(acme)).toEqual({ payments: [], orders: [], shipping: [] });
  });

  it("isn't absorbed by noise that its calls lead to, and that occurs without it", async () => {
    const acme = await organization();
    const before = traces(30).map((trace, index) => ({ service: "offers", trace, ago: (index + 30) * secondMs }));
    const all = traces(3);
    await receive(acme, [...before, ...all.map((trace) => ({ service: "offers", trace }))]);
    await receive(
      acme,
      all.map((trace) => ({ service: "orders", trace, called: "offers" })),
    );
    expect(await shown(acme)).toEqual({ offers: [], orders: [] });
  });

  it("doesn't absorb noise that few of its calls lead to", async () => {
    const acme = await organization();
    const all = traces(12);
    await receive(
      acme,
      all.map((trace) => ({ service: "orders", trace, called: "offers" })),
    );
    await receive(
      acme,
      all.slice(0, 7).map((trace) => ({ service: "offers", trace })),
    );
    expect(await shown(acme)).toEqual({ orders: [], offers: [] });
  });

  it("opens its own for one coincidence, and joins from two in three of its traces on", async () => {
    for (const [shared, expected] of [
      [1, { payments: [], orders: [] }],
      [2, { payments: ["orders"] }],
    ] as const) {
      const acme = await organization();
      const all = traces(3);
      const events = [
        ...all.slice(0, shared).map((trace) => ({ service: "payments", trace })),
        ...all.map((trace): FailureEvent => ({ service: "orders", trace, called: "payments" })),
      ];
      const stored = events.map((one) => failureEvent(acme.id, one));
      await service.events.insert(stored);
      for (const name of ["payments", "orders"]) {
        const failures = stored.filter((one) => one.service === name).map(failureOf);
        await decide({ scope_id: acme.id, failures }, { number: 1 });
      }
      expect(await shown(acme)).toEqual(expected);
    }
  });

  it("opens one each, of twenty kinds at once in the same traces", async () => {
    const acme = await organization();
    const [trace = ""] = traces(1);
    const kinds = Array.from({ length: 20 }, (_, index) => ({
      service: `service-${index}`,
      trace,
      called: "elsewhere",
    }));
    await receive(acme, kinds);
    expect(Object.keys(await shown(acme))).toHaveLength(20);
  });
});

describe("unanswered calls", () => {
  const error = "connect ECONNREFUSED 10.0.0.7:8080";

  it("are one incident, whichever service makes them", async () => {
    const acme = await organization();
    await receive(acme, [
      { service: "orders", called: "catalog", error, message: `fetch failed: ${error}` },
      { service: "storefront", called: "catalog", error, message: error },
    ]);
    expect(await shown(acme)).toEqual({ orders: ["storefront"] });
    const [incident] = await incidentsOf(acme);
    expect(incident?.joined_failures?.[0]).toMatchObject({
      rule: "same-unanswered-call",
      reason: "its calls to catalog:8080 get no answer, and neither do those of orders",
    });
  });

  it("don't absorb another failure that only occurred after one of them", async () => {
    const acme = await organization();
    await receive(acme, [
      { service: "orders", called: "metrics", error, message: error },
      { service: "storefront", called: "metrics", error, message: "price is not a number" },
      { service: "shipping", called: "carrier", error, message: error },
    ]);
    expect(await shown(acme)).toEqual({ orders: [], storefront: [], shipping: [] });
  });
});

describe("the same error of one service", () => {
  it("is one incident on every path to its place, and two at two places", async () => {
    for (const [line, column, expected] of [
      [7, 5, { catalog: ["catalog-search"] }],
      [8, 5, { catalog: [], "catalog-search": [] }],
      // A bundle may be a single line.
      [7, 6, { catalog: [], "catalog-search": [] }],
    ] as const) {
      const acme = await organization();
      await receive(acme, [
        { service: "catalog", line: 7 },
        { service: "catalog", kind: "-search", line, column },
      ]);
      expect(await shown(acme)).toEqual(expected);
    }
  });
});

describe("a failure that joined", () => {
  /** An incident of payments that orders joined, and how it continues. */
  async function joinedOrders(): Promise<TestOrganization> {
    const acme = await organization();
    const [trace = ""] = traces(1);
    await receive(acme, [
      { service: "payments", trace },
      { service: "orders", trace, called: "payments" },
    ]);
    expect(await shown(acme)).toEqual({ payments: ["orders"] });
    return acme;
  }

  it("opens its own incident when it continues without the other", async () => {
    const acme = await joinedOrders();
    service.clock.now += 6 * minuteMs;
    await receive(
      acme,
      traces(2).map((trace) => ({ service: "orders", trace, called: "payments" })),
    );
    expect(await shown(acme)).toEqual({ payments: ["orders"] });
    await receive(
      acme,
      traces(1).map((trace) => ({ service: "orders", trace, called: "payments" })),
    );
    expect(await shown(acme)).toEqual({ payments: [], orders: [] });
    const [, own] = await incidentsOf(acme);
    expect(own?.decision).toMatchObject({ outcome: "opened", rule: "no-longer-explained" });
  });

  it("stays as long as the other continues with it", async () => {
    const acme = await joinedOrders();
    service.clock.now += 6 * minuteMs;
    const all = traces(4);
    await receive(acme, [
      ...all.map((trace) => ({ service: "payments", trace })),
      ...all.map((trace): FailureEvent => ({ service: "orders", trace, called: "payments" })),
    ]);
    expect(await shown(acme)).toEqual({ payments: ["orders"] });
    const [incident] = await incidentsOf(acme);
    expect(incident?.joined_failures?.[0]).toMatchObject({ events: 5 });
  });

  it("could join only while the incident was as young as the organization allows", async () => {
    for (const [join_minutes, minutes, expected] of [
      [0, 0, { payments: [], orders: [] }],
      [30, 30, { payments: ["orders"] }],
      [30, 31, { payments: [], orders: [] }],
    ] as const) {
      const acme = await organization();
      await service.control.scope(acme.id).thresholds.replace(incidentThresholdsSchema.parse({ join_minutes }));
      await receive(
        acme,
        traces(1).map((trace) => ({ service: "payments", trace })),
      );
      service.clock.now += minutes * minuteMs;
      const [trace = ""] = traces(1);
      await receive(acme, [
        { service: "payments", trace },
        { service: "orders", trace, called: "payments" },
      ]);
      expect(await shown(acme)).toEqual(expected);
    }
  });
});

describe("two analyzers at the same moment", () => {
  it("open one incident for a failure and for what follows from it", async () => {
    for (let round = 0; round < 3; round += 1) {
      const acme = await organization();
      const [trace = ""] = traces(1);
      const stored = [
        failureEvent(acme.id, { service: "payments", trace }),
        failureEvent(acme.id, { service: "orders", trace, called: "payments" }),
      ];
      await service.events.insert(stored);
      await Promise.all(stored.map((one) => decide({ scope_id: acme.id, failures: [failureOf(one)] }, { number: 1 })));
      expect(await shown(acme)).toEqual({ payments: ["orders"] });
    }
  });
});

describe("splitting off a failure that joined", () => {
  it("gives it its own incident permanently, and records who did it", async () => {
    const acme = await organization();
    const [one = "", two = ""] = traces(2);
    await receive(acme, [
      { service: "payments", trace: one },
      { service: "orders", trace: one, called: "payments" },
    ]);
    const [incident] = await incidentsOf(acme);
    const headers = { cookie: acme.cookie };
    const split = (payload: object) =>
      service.app.inject({ method: "POST", url: `/api/incidents/${incident?.id}/split-off`, headers, payload });
    service.clock.now += minuteMs;
    const answer = await split({ fingerprint: "v2:orders" });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ service: "orders", decision: { rule: "split-off" }, status: "queued" });
    expect(await shown(acme)).toEqual({ payments: [], orders: [] });
    const listed = await service.app.inject({ url: "/api/failures?outcome=opened&rule=split-off", headers });
    expect(listed.json().failures).toMatchObject([
      { service: "orders", decided_at: new Date(service.clock.now).toISOString() },
    ]);
    expect((await split({ fingerprint: "v2:orders" })).json()).toMatchObject({
      code: "WHENCE_ERR_JOINED_FAILURE_UNKNOWN",
    });
    const metrics = await service.registry.metrics();
    expect(metrics).toContain('whence_incidents_total{outcome="opened",rule="split-off"} 1');
    const audit = await service.app.inject({ url: "/api/audit", headers });
    expect(audit.json().entries[0]).toMatchObject({ action: "failure.split-off", target: "orders: boom" });
    service.clock.now += 8 * 24 * 60 * minuteMs;
    await receive(acme, [
      { service: "payments", trace: two },
      { service: "orders", trace: two, called: "payments" },
    ]);
    expect(Object.values(await shown(acme)).flat()).toEqual([]);
  });

  it("is for signed-in people, and for their own organization's incidents", async () => {
    const [acme, other] = [await organization(), await organization()];
    const [trace = ""] = traces(1);
    await receive(acme, [
      { service: "payments", trace },
      { service: "orders", trace, called: "payments" },
    ]);
    const [incident] = await incidentsOf(acme);
    const split = (headers: Record<string, string>) =>
      service.app.inject({
        ...{ method: "POST", url: `/api/incidents/${incident?.id}/split-off`, headers },
        payload: { fingerprint: "v2:orders" },
      });
    expect((await split({ "x-api-key": acme.key })).statusCode).toBe(401);
    expect((await split({ cookie: other.cookie })).statusCode).toBe(404);
    expect(await shown(acme)).toEqual({ payments: ["orders"] });
  });
});
