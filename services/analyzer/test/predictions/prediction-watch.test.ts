import { hourMs, minuteMs, type Watch } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startPredictionWatch, watchIntervalMs } from "../../src/predictions/prediction-watch.ts";
import { arrivalMs } from "../../src/predictions/schedule.ts";
import { endedIncident, prediction, reportWith } from "../ended-report.ts";
import { silent, startTestService, type TestService } from "../test-service.ts";
import { at, failure, onRoute, reportedAt, Telemetry } from "./telemetry.ts";

const continues: Watch = { ...failure, kind: "failure-continues", release: "1.0" };
const route: Watch = { ...failure, kind: "only-on-route", route: "/orders/:id" };
const due = at(60);

let service: TestService;
let telemetry: Telemetry;
beforeEach(async () => {
  service = await startTestService();
  service.clock.now = reportedAt;
  telemetry = new Telemetry();
});
afterEach(() => service.close());

const open = (...watches: readonly Watch[]) =>
  endedIncident(
    service,
    telemetry.scopeId,
    reportWith({ predictions: watches.map((watch) => prediction(due, watch, { tells_apart_from: 2 })) }),
  );
const start = (changes: Partial<Parameters<typeof startPredictionWatch>[0]> = {}) => {
  const { control, events, metrics, clock } = service;
  return startPredictionWatch({ control, events, metrics, clock: () => clock.now, logger: silent, ...changes });
};
const predicted = async (id: string) =>
  (await service.control.scope(telemetry.scopeId).incidents.find(id))?.report?.predictions;
/** Looks take their time while other tests run. */
const counted = async (outcome: string) =>
  (await service.metrics.predictions.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;

describe("the watch of predictions", () => {
  it("stores each outcome on the incident, with the counts, an event, and the time", async () => {
    const id = await open(continues, route);
    service.clock.now += 30 * minuteMs;
    await service.events.insert(telemetry.fails([10], {}, onRoute("/carts")).events);
    const watch = start();
    await expect.poll(() => counted("refuted")).toBe(1);
    await watch.stop();
    const at30 = new Date(service.clock.now).toISOString();
    expect(await predicted(id)).toMatchObject([
      { outcome: "upheld", result: { at: at30, counts: { failures: 1 }, excerpt: expect.stringContaining(at(10)) } },
      { outcome: "refuted", result: { at: at30, counts: { on_route: 0, elsewhere: 1 } } },
    ]);
  });

  it("leaves undecided what it can't decide once it was due and all telemetry has arrived", async () => {
    const id = await open(route);
    service.clock.now = Date.parse(due) + arrivalMs - 1;
    let looks = 0;
    const forScope: TestService["events"]["forScope"] = (scopeId) => {
      looks += 1;
      return service.events.forScope(scopeId);
    };
    const early = start({ events: { forScope } });
    await expect.poll(() => looks).toBe(1);
    await early.stop();
    expect((await predicted(id))?.[0]?.result).toBeUndefined();
    service.clock.now += hourMs;
    const watch = start();
    await expect.poll(() => counted("undecided")).toBe(1);
    await watch.stop();
    expect((await predicted(id))?.[0]).toMatchObject({
      outcome: "open",
      result: { reason: expect.stringContaining("too little traffic to tell") },
    });
  });

  it("stores each outcome once, even when several processes check", async () => {
    for (let count = 0; count < 5; count += 1) await open(continues, route);
    service.clock.now += 30 * minuteMs;
    await service.events.insert(telemetry.fails([10], {}, onRoute("/carts")).events);
    const watches = [start(), start(), start()];
    await expect.poll(() => counted("upheld")).toBe(5);
    await expect.poll(() => counted("refuted")).toBe(5);
    await Promise.all(watches.map((watch) => watch.stop()));
    expect([await counted("upheld"), await counted("refuted")]).toEqual([5, 5]);
  });

  it("checks 20 of one organization in a minute, and those of others in the meantime", async () => {
    for (let count = 0; count < 25; count += 1) await open(continues);
    const crowded = telemetry;
    telemetry = new Telemetry();
    await open(continues);
    service.clock.now += 30 * minuteMs;
    await service.events.insert([...crowded.fails([10]).events, ...telemetry.fails([10]).events]);
    const first = start();
    await expect.poll(() => counted("upheld")).toBe(21);
    await first.stop();
    service.clock.now += minuteMs + 1;
    const second = start();
    await expect.poll(() => counted("upheld")).toBe(26);
    await second.stop();
  });

  it("runs every minute, and repeats a check that failed", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await open(continues);
      await service.events.insert(telemetry.fails([10]).events);
      service.clock.now += 30 * minuteMs;
      let failures = 1;
      const forScope: TestService["events"]["forScope"] = (scopeId) => {
        failures -= 1;
        if (failures >= 0) throw new Error("away");
        return service.events.forScope(scopeId);
      };
      const errors: unknown[] = [];
      const logger = { ...silent, error: (about: unknown) => void errors.push(about) };
      const watch = start({ events: { forScope }, logger });
      await expect.poll(() => errors.length).toBe(1);
      service.clock.now += 5 * minuteMs;
      await vi.advanceTimersByTimeAsync(watchIntervalMs);
      await expect.poll(() => counted("upheld")).toBe(1);
      await watch.stop();
    } finally {
      vi.useRealTimers();
    }
  });
});
