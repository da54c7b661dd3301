import type { Storage, UsageLedger } from "@whence/storage";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gatewayMetrics } from "../../src/metrics.ts";
import { UsageMeter } from "../../src/plugins/usage-meter.ts";
import { batchOf, logEvent } from "../batches.ts";
import { buildApp, openTestStorage, organizationWithKey, send } from "../test-gateway.ts";

let storage: Storage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const batch = (events: number) => batchOf(Array.from({ length: events }, (_, index) => logEvent({ seq: index + 1 })));
const usedOn = (organizationId: string, day: string) => storage.control.usage.add(organizationId, day, 0);

async function organizationWithQuota(slug: string, eventsPerDay: number | null) {
  const organization = await organizationWithKey(storage, slug);
  await storage.control.organizations.configure(organization.id, {
    retentionDays: null,
    eventsPerDay,
    inputBytesMax: null,
    plainUsers: false,
    passwordsOff: false,
  });
  return organization;
}

function appAt(clock: { now: number }, usage: UsageLedger = storage.control.usage) {
  return buildApp({
    queue: storage.queue,
    keys: storage.control.keys,
    usage,
    secrets: storage.control,
    clock: () => clock.now,
  });
}

describe("an organization's quota", () => {
  it("admits 10 of 10 events, and answers the next batch with 429 until the day is over", async () => {
    const clock = { now: Date.parse("2026-03-01T23:59:29.500Z") };
    const app = await appAt(clock);
    const { id, key } = await organizationWithQuota("ten", 10);
    expect((await send(app, key, batch(9))).statusCode).toBe(202);
    expect((await send(app, key, batch(1))).statusCode).toBe(202);
    const answer = await send(app, key, batch(1));
    expect(answer.statusCode).toBe(429);
    expect(answer.headers["retry-after"]).toBe("31");
    expect(answer.json()).toEqual({
      detail: "the organization's 10 events of the day (UTC) are used up: send again in 31 seconds, or raise the quota",
      code: "WHENCE_ERR_TELEMETRY_QUOTA",
    });
    clock.now = Date.parse("2026-03-02T00:00:00.000Z");
    expect((await send(app, key, batch(3))).statusCode).toBe(202);
    await app.close();
    expect(await usedOn(id, "2026-03-01")).toBe(10);
    expect(await usedOn(id, "2026-03-02")).toBe(3);
  });

  it("asks clients to wait for at most an hour, since it may be raised", async () => {
    const app = await appAt({ now: Date.parse("2026-03-03T01:00:00.000Z") });
    const { key } = await organizationWithQuota("hour", 1);
    await send(app, key, batch(1));
    expect((await send(app, key, batch(1))).headers["retry-after"]).toBe("3600");
    await app.close();
  });

  it("accepts the batch that exceeds it completely, and counts accepted events only", async () => {
    const app = await appAt({ now: Date.parse("2026-03-04T01:00:00.000Z") });
    const { id, key } = await organizationWithQuota("passes", 4);
    const mixed = batchOf([logEvent(), { seq: 2 }, { seq: 3 }, logEvent({ seq: 4 })]);
    expect((await send(app, key, mixed)).json()).toMatchObject({ accepted: 2 });
    expect((await send(app, key, batch(50))).json()).toMatchObject({ accepted: 50 });
    expect((await send(app, key, batch(1))).statusCode).toBe(429);
    await app.close();
    expect(await usedOn(id, "2026-03-04")).toBe(52);
  });

  it("of 0 admits nothing, and applies to no other organization", async () => {
    const app = await appAt({ now: Date.parse("2026-03-05T01:00:00.000Z") });
    const none = await organizationWithQuota("none", 0);
    const other = await organizationWithQuota("other", 1);
    expect((await send(app, none.key, batch(1))).statusCode).toBe(429);
    expect((await send(app, other.key, batch(1))).statusCode).toBe(202);
    await app.close();
  });
});

describe("an organization's usage", () => {
  it("is recorded without a quota too, at the latest when the gateway stops", async () => {
    const app = await appAt({ now: Date.parse("2026-03-06T01:00:00.000Z") });
    const { id, key } = await organizationWithQuota("unlimited", null);
    for (let sent = 0; sent < 5; sent++) expect((await send(app, key, batch(7))).statusCode).toBe(202);
    await app.close();
    expect(await usedOn(id, "2026-03-06")).toBe(35);
  });

  it("doesn't refuse batches while it can't be recorded, and is recorded later", async () => {
    let isDown = true;
    const usage: UsageLedger = {
      add: (...args) => (isDown ? Promise.reject(new Error("down")) : storage.control.usage.add(...args)),
    };
    const { id, key } = await organizationWithQuota("outage", 100);
    const clock = () => Date.parse("2026-03-07T01:00:00.000Z");
    const metrics = gatewayMetrics(new Registry());
    const meter = new UsageMeter(usage, clock, metrics);
    meter.add(id, 5);
    await meter.flush();
    expect((await metrics.usageFailures.get()).values[0]?.value).toBe(1);
    expect(meter.used(id)).toBe(5);
    isDown = false;
    meter.add(id, 2);
    await meter.flush();
    expect(await usedOn(id, "2026-03-07")).toBe(7);

    isDown = true;
    const app = await appAt({ now: clock() }, usage);
    for (let sent = 0; sent < 3; sent++) expect((await send(app, key, batch(1))).statusCode).toBe(202);
    await app.close();
  });

  it("is shared by two gateways: each knows the other's after its flush", async () => {
    const { id } = await organizationWithQuota("two", 10);
    const clock = () => Date.parse("2026-03-08T01:00:00.000Z");
    const meterOf = () => new UsageMeter(storage.control.usage, clock, gatewayMetrics(new Registry()));
    const [first, second] = [meterOf(), meterOf()];
    first.add(id, 6);
    second.add(id, 5);
    expect([first.used(id), second.used(id)]).toEqual([6, 5]);
    await Promise.all([first.flush(), second.flush()]);
    await Promise.all([first.flush(), second.flush()]);
    expect([first.used(id), second.used(id)]).toEqual([11, 11]);
  });

  it("counts events that arrive during a flush once", async () => {
    const { id } = await organizationWithQuota("meanwhile", null);
    const clock = () => Date.parse("2026-03-09T01:00:00.000Z");
    const meter = new UsageMeter(storage.control.usage, clock, gatewayMetrics(new Registry()));
    meter.add(id, 1);
    const flush = meter.flush();
    meter.add(id, 10);
    await flush;
    expect(meter.used(id)).toBe(11);
    await meter.flush();
    expect(meter.used(id)).toBe(11);
    expect(await usedOn(id, "2026-03-09")).toBe(11);
  });
});
