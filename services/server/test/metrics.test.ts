import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hourMs } from "@whence/protocol";
import { openStorage, type Storage, telemetryTopic } from "@whence/storage";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deliveryMetrics, queueMetrics } from "../src/metrics.ts";

let folder: string;
let storage: Storage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-metrics-"));
  storage = await openStorage({ dataDirectory: folder, secretKeys: [Buffer.alloc(32)] });
});
afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

describe("the metrics", () => {
  it("count pending, held, and dead messages, and their age, on every scrape", async () => {
    const registry = new Registry();
    const time = { now: Date.now() };
    queueMetrics(registry, storage.queue, () => time.now);
    expect(await registry.metrics()).toContain('whence_queue_pending{topic="telemetry"} 0');

    await storage.queue.publish(telemetryTopic, [
      { id: "a", body: "{}" },
      { id: "b", body: "{}" },
      { id: "c", body: "{}" },
    ]);
    const [first, second] = await storage.queue.receive(telemetryTopic, { max: 2, waitMs: 0 });
    await first?.bury("no use");
    time.now += 90_000;
    const text = await registry.metrics();
    expect(text).toContain('whence_queue_pending{topic="telemetry"} 1');
    expect(text).toContain('whence_queue_held{topic="telemetry"} 1');
    expect(text).toContain('whence_queue_dead_letters{topic="telemetry"} 1');
    expect(text).toContain('whence_queue_pending{topic="failures"} 0');
    expect(Number(/whence_queue_lag_seconds\{topic="telemetry"\} (\S+)/.exec(text)?.[1])).toBeCloseTo(90, -1);
    expect(text).toContain("whence_queue_up 1");
    await second?.ack();
  });

  it("report that the queue doesn't answer, instead of failing", async () => {
    const registry = new Registry();
    const away = { ...storage.queue, depth: () => Promise.reject(new Error("away")) };
    queueMetrics(registry, away, Date.now);
    const text = await registry.metrics();
    expect(text).toContain("whence_queue_up 0");
    expect(text).not.toMatch(/whence_queue_pending\{/);
  });

  it("query lost events at most once a minute, and have no value while the store is down", async () => {
    const registry = new Registry();
    const time = { now: 0 };
    const asked: string[] = [];
    const missing = async (since: string) => {
      asked.push(since);
      if (asked.length === 2) throw new Error("away");
      return [{ reason: "unaccounted", events: 3 }];
    };
    deliveryMetrics(registry, { ...storage.events, missing }, () => time.now);
    for (time.now of [hourMs, 3_659_999]) {
      expect(await registry.metrics()).toContain('whence_delivery_missing_events{reason="unaccounted"} 3');
    }
    expect(asked).toEqual(["1970-01-01T00:00:00.000Z"]);
    time.now = 3_660_000;
    expect(await registry.metrics()).not.toMatch(/whence_delivery_missing_events\{/);
  });
});
