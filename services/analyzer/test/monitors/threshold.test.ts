import { randomUUID } from "node:crypto";
import { minuteMs, type TelemetryEvent } from "@whence/protocol";
import { telemetryTopic } from "@whence/storage";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reportedAt, type Sender, Telemetry } from "../predictions/telemetry.ts";
import { type Monitored, startMonitored } from "./monitored.ts";

let started: Awaited<ReturnType<typeof startMonitored>>;
let acme: Monitored;

beforeAll(async () => {
  started = await startMonitored();
});
beforeEach(async () => {
  started.service.clock.now = reportedAt;
  acme = await started.fresh();
  await listening();
});
afterAll(() => started.service.close());

/** A gateway has taken telemetry for an hour, and still does. */
async function listening(): Promise<void> {
  const now = started.service.clock.now;
  const [takingSince, forgetBefore] = [new Date(now - 60 * minuteMs), new Date(0)];
  await started.service.control.pulses.beat({ id: "gateway", takingSince, now: new Date(now), forgetBefore });
}

async function sends(fill: (telemetry: Telemetry) => Telemetry): Promise<void> {
  await started.service.events.insert(fill(new Telemetry(acme.acme.id)).events);
}

/** Lets minutes pass, and has the gateway take telemetry all the time. */
async function pass(minutes: number): Promise<void> {
  started.service.clock.now += minutes * minuteMs;
  await listening();
  await acme.pass(0);
}

const above = (metric: string, value: number, more: object = {}) => ({
  ...{ name: "Orders", service: "orders" },
  check: { kind: "threshold", metric, value, ...more },
});
const latest = async (id: string) => (await acme.results(id))[0];
const minutes = (from: number, to: number, each = 1): number[] =>
  Array.from({ length: (to - from) * each }, (_, index) => from + (index + 0.5) / each);

describe("a threshold", () => {
  it("opens an incident once failures are above its value for as many minutes as its owner chose", async () => {
    const { monitor } = await acme.create({ ...above("failures", 2, { window_minutes: 1 }), alert_after: 2 });
    await sends((telemetry) => telemetry.fails(minutes(-1, 2, 3)));
    await pass(0);
    expect(await acme.read(monitor.id)).toMatchObject({
      ...{ state: "failing", next_check_at: "2026-03-01T12:01:00.000Z" },
      last_result: { reason: "had 3 failures a minute in the last minute, more than 2", value: 3 },
    });
    expect(await acme.incidents()).toEqual([]);
    await pass(1);
    expect(await acme.incidents()).toMatchObject([
      { title: "Orders: orders had 3 failures a minute in the last minute, more than 2", service: "orders" },
    ]);
  });

  it.each([
    [3, "passed"],
    [2.9, "failed"],
  ])("compares with %d strictly", async (value, outcome) => {
    await sends((telemetry) => telemetry.fails(minutes(-5, 0, 3)));
    const { monitor } = await acme.create(above("failures", value));
    await pass(0);
    expect(await latest(monitor.id)).toMatchObject({ outcome, value: 3 });
  });

  it("counts its own service and environment only", async () => {
    await sends((telemetry) => telemetry.beats(-5, 0).fails([-1], { service: "cart" }).fails([-1], { env: "STAGING" }));
    const { monitor } = await acme.create(above("failures", 0));
    const { monitor: staging } = await acme.create({ ...above("failures", 0), env: "STAGING" });
    await pass(0);
    expect(await latest(monitor.id)).toMatchObject({ outcome: "passed", value: 0 });
    expect(await latest(staging.id)).toMatchObject({ outcome: "failed", value: 0.2 });
  });

  it("recovers at its recovery value", async () => {
    const { monitor } = await acme.create(above("failures", 2, { recovery: 1, window_minutes: 1 }));
    await sends((telemetry) => telemetry.fails([...minutes(-1, 0, 3), ...minutes(0, 1, 2), ...minutes(1, 2, 1)]));
    await pass(0);
    await pass(1);
    expect(await acme.read(monitor.id)).toMatchObject({ state: "alerting", last_result: { value: 2 } });
    await pass(1);
    expect(await acme.read(monitor.id)).toMatchObject({ state: "passing", last_result: { value: 1 } });
    expect(await acme.incidents()).toHaveLength(1);
  });

  it("watches the share of failed requests, and says when a service reports none", async () => {
    const { monitor } = await acme.create(above("failed-requests", 5));
    await pass(0);
    expect(await latest(monitor.id)).toMatchObject({
      ...{ outcome: "not-checked", reason: "the service reported no requests" },
    });
    await sends((telemetry) => heartbeat(telemetry, -1, {}, { requests: 100, failed_requests: 7 }));
    await pass(1);
    expect(await latest(monitor.id)).toMatchObject({
      ...{ outcome: "failed", value: 7, reason: "failed 7% of its requests in the last 5 minutes, more than 5" },
    });
  });

  it("watches the memory of the largest process that is alive", async () => {
    const { monitor } = await acme.create(above("memory", 500));
    await sends((telemetry) =>
      telemetry
        .beats(-5, 0, { instance: "small" }, () => 300_000_000)
        .beats(-5, 0, { instance: "large" }, () => 600_000_000)
        .beats(-5, -3, { instance: "gone" }, () => 900_000_000),
    );
    await pass(0);
    expect(await latest(monitor.id)).toMatchObject({
      ...{ outcome: "failed", value: 600 },
      reason: "used 600 MB of memory in its largest process in the last 5 minutes, more than 500",
    });
  });

  it("watches how many processes are alive", async () => {
    const below = { condition: "below" };
    const { monitor } = await acme.create(above("processes", 2, below));
    await sends((telemetry) => telemetry.beats(-5, 0, { instance: "a" }).beats(-5, -3, { instance: "b" }));
    await pass(0);
    expect(await latest(monitor.id)).toMatchObject({
      ...{ outcome: "failed", value: 1, reason: "runs in 1 process, less than 2" },
    });
    await sends((telemetry) => telemetry.beats(0, 1, { instance: "a" }).beats(0, 1, { instance: "b" }));
    await pass(1);
    expect(await latest(monitor.id)).toMatchObject({ outcome: "passed", value: 2 });
  });

  it.each([
    ["failures", "no telemetry", (telemetry: Telemetry) => telemetry.fails([-1], { service: "cart" })],
    [
      "event-loop-delay",
      "no process reported a delay of its event loop",
      (telemetry: Telemetry) => telemetry.beats(-5, 0),
    ],
  ])("doesn't take missing %s for none", async (metric, reason, fill) => {
    await sends(fill);
    const { monitor } = await acme.create(above(metric, 100));
    await pass(0);
    expect(await latest(monitor.id)).toMatchObject({ outcome: "not-checked", reason });
  });

  it("checks nothing while no gateway takes telemetry", async () => {
    const { monitor } = await acme.create(above("processes", 1, { condition: "below" }));
    started.service.clock.now += 5 * minuteMs;
    await acme.pass(0);
    expect(await latest(monitor.id)).toMatchObject({
      outcome: "not-checked",
      reason: "telemetry doesn't arrive, or arrives late",
    });
    expect(await acme.incidents()).toEqual([]);
  });

  it("checks nothing while what gateways took isn't stored yet", async () => {
    await started.service.queue.publish(telemetryTopic, [{ id: randomUUID(), body: "{}" }]);
    const { monitor } = await acme.create(above("processes", 1, { condition: "below" }));
    started.service.clock.now = Date.now() + minuteMs;
    await pass(0);
    expect(await latest(monitor.id)).toMatchObject({ outcome: "not-checked" });
    expect(await acme.incidents()).toEqual([]);
  });

  it("belongs to production without an environment", async () => {
    await sends((telemetry) => telemetry.fails(minutes(-5, 0, 3)));
    await acme.create({ ...above("failures", 2), env: null });
    await pass(0);
    expect(await acme.incidents()).toMatchObject([{ env: "PROD" }]);
  });

  it.each([
    [{ ...above("failures", 2), service: null }, ["body", "service"]],
    [above("failures", 2, { recovery: 3 }), ["body", "check", "recovery"]],
    [above("failures", 2, { condition: "below", recovery: 1 }), ["body", "check", "recovery"]],
    [above("failures", 2, { window_minutes: 61 }), ["body", "check", "window_minutes"]],
  ])("refuses %o", async (settings, loc) => {
    const { status, body } = await acme.ask("POST", "", settings);
    expect([status, body.detail[0].loc.filter((part: string) => part !== "threshold")]).toEqual([422, loc]);
  });
});

function heartbeat(
  telemetry: Telemetry,
  minute: number,
  sender: Sender,
  attributes: TelemetryEvent["attributes"],
): Telemetry {
  return telemetry.says(minute, sender, { type: "heartbeat", level: "info", attributes });
}
