import { randomUUID } from "node:crypto";
import type { Failure } from "@whence/protocol";
import { failuresTopic, investigationsTopic, type StoredEvent } from "@whence/storage";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumers, startConsumers } from "../../src/consumers/start-consumers.ts";
import { analyzerMetrics } from "../../src/metrics.ts";
import { silent, startTestService, type TestService } from "../test-service.ts";

const scopeId = "org_fleet";
const kinds = 12;
const messagesPerKind = 8;

let service: TestService;
const analyzers: { consumers: Consumers; registry: Registry }[] = [];

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await Promise.all(analyzers.map(({ consumers }) => consumers.stop(1_000)));
  await service.close();
});

function startAnalyzer(): void {
  const { control, events, queue } = service;
  const registry = new Registry();
  const metrics = analyzerMetrics(registry, control.outbox);
  const options = { control, events, queue, metrics, clock: Date.now, logger: silent, investigationLanes: 3 };
  analyzers.push({ consumers: startConsumers(options), registry });
}

/** A counter's value by outcome, of all analyzers together. */
async function counted(name: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { registry } of analyzers) {
    const metric = (await registry.getMetricsAsJSON()).find((one) => one.name === name);
    for (const { labels, value } of metric?.values ?? []) {
      const outcome = String(Reflect.get(labels, "outcome"));
      sums[outcome] = (sums[outcome] ?? 0) + Number(value);
    }
  }
  return sums;
}

const fingerprintOf = (kind: number): string => `v1:${String(kind).padStart(16, "0")}`;

function occurrence(kind: number): StoredEvent {
  const at = new Date().toISOString();
  return {
    scopeId,
    event: {
      ...{ id: randomUUID(), seq: 1, type: "exception", timestamp: at, level: "error", message: `failure ${kind}` },
      mechanism: { type: "uncaughtException", handled: false },
      exceptions: [{ type: "Error", message: `failure ${kind}`, stack: "Error\n    at work (/app/src/work.js:3:9)" }],
    },
    ...{
      service: "orders",
      env: "PROD",
      release: "1",
      instance: "i1",
      fingerprint: fingerprintOf(kind),
      receivedAt: at,
    },
    host: { name: "h1", pid: 1, runtime: { name: "node", version: "26" }, os: "linux", arch: "x64" },
    sdk: { name: "@whence/node", version: "0" },
  };
}

const failureOf = ({ event, fingerprint, service, env, release, receivedAt: at }: StoredEvent): Failure => ({
  ...{ event_id: event.id, fingerprint, service, env, release, at },
  ...{ type: event.type, level: event.level, title: event.message },
  ...{ mechanism: event.mechanism.type, handled: event.mechanism.handled },
});

describe("two analyzers on one queue and one control database", () => {
  it("open one incident for each of many failures, and investigate each once", async () => {
    const occurrences = Array.from({ length: kinds * messagesPerKind }, (_, index) => occurrence(index % kinds));
    await service.events.insert(occurrences);
    const messages = occurrences.map((stored) => ({
      id: stored.event.id,
      body: JSON.stringify({ scope_id: scopeId, failures: [failureOf(stored)] }),
    }));
    startAnalyzer();
    startAnalyzer();
    await Promise.all(messages.map((message) => service.queue.publish(failuresTopic, [message])));

    const { incidents } = service.control.scope(scopeId);
    const done = async () => (await incidents.list({ limit: 100 })).filter(({ status }) => status === "completed");
    await expect
      .poll(() => service.queue.depth(failuresTopic), { timeout: 6_000 })
      .toMatchObject({ pending: 0, held: 0, dead: 0 });
    await expect.poll(async () => (await done()).length, { timeout: 15_000 }).toBe(kinds);
    expect(await incidents.list({ limit: 100 })).toHaveLength(kinds);
    expect(new Set((await done()).map(({ fingerprint }) => fingerprint)).size).toBe(kinds);
    expect(await counted("whence_incidents_total")).toEqual({ opened: kinds, joined: kinds * (messagesPerKind - 1) });
    expect(await counted("whence_investigations_total")).toEqual({ completed: kinds });
    for (const topic of [failuresTopic, investigationsTopic]) {
      await expect.poll(() => service.queue.depth(topic)).toMatchObject({ pending: 0, held: 0, dead: 0 });
    }
  });
});
