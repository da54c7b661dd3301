import type { Failure } from "@whence/protocol";
import { failuresTopic, investigationsTopic, type StoredEvent } from "@whence/storage";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analyzerMetrics } from "../../src/metrics.ts";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { storedEvent } from "../stored-event.ts";
import { silent, type TestService } from "../test-service.ts";

const scopeId = "org_fleet";
const kinds = 12;
const messagesPerKind = 8;

interface Analyzer {
  readonly consumers: Consumers;
  readonly registry: Registry;
}

function startAnalyzer({ control, events, queue, senderRequests }: TestService): Analyzer {
  const registry = new Registry();
  const metrics = analyzerMetrics(registry, control.outbox);
  const options = {
    control,
    events,
    queue,
    metrics,
    senderRequests,
    clock: Date.now,
    logger: silent,
    perOrganization: 3,
  };
  return { consumers: startConsumers(options), registry };
}

/** A counter's value by outcome, of all analyzers together. */
async function counted(analyzers: readonly Analyzer[], name: string): Promise<Record<string, number>> {
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

const occurrence = (kind: number): StoredEvent => storedEvent(scopeId, { fingerprint: fingerprintOf(kind) });

const failureOf = ({ event, fingerprint, service, env, release, receivedAt: at }: StoredEvent): Failure => ({
  ...{ event_id: event.id, fingerprint, service, env, release, at },
  ...{ type: event.type, level: event.level, title: event.message },
  ...{ mechanism: event.mechanism.type, handled: event.mechanism.handled },
});

/** Guarantees of a fleet, whatever the queue and the control database are. */
export function describeTwoAnalyzers(profile: string, start: () => Promise<TestService>): void {
  describe(`two analyzers on one queue and one control database (${profile})`, () => {
    let service: TestService;
    const analyzers: Analyzer[] = [];

    beforeAll(async () => {
      service = await start();
    });
    afterAll(async () => {
      await Promise.all(analyzers.map(({ consumers }) => consumers.stop(1_000)));
      await service.close();
    });

    it("open one incident for each of many failures, and investigate each once", async () => {
      const occurrences = Array.from({ length: kinds * messagesPerKind }, (_, index) => occurrence(index % kinds));
      await service.events.insert(occurrences);
      const messages = occurrences.map((stored) => ({
        id: stored.event.id,
        body: JSON.stringify({ scope_id: scopeId, failures: [failureOf(stored)] }),
      }));
      analyzers.push(startAnalyzer(service), startAnalyzer(service));
      await Promise.all(messages.map((message) => service.queue.publish(failuresTopic, [message])));

      const { incidents } = service.control.scope(scopeId);
      const done = async () => (await incidents.list({ limit: 100 })).filter(({ status }) => status === "completed");
      await expect.poll(() => service.queue.depth(failuresTopic)).toMatchObject({ pending: 0, held: 0, dead: 0 });
      await expect.poll(async () => (await done()).length).toBe(kinds);
      expect(await incidents.list({ limit: 100 })).toHaveLength(kinds);
      expect(new Set((await done()).map(({ fingerprint }) => fingerprint)).size).toBe(kinds);
      expect(await counted(analyzers, "whence_incidents_total")).toEqual({
        opened: kinds,
        joined: kinds * (messagesPerKind - 1),
      });
      // Looks for later evidence don't count as investigations; their number depends on the time there was.
      const { refined: _, unchanged: __, ...investigated } = await counted(analyzers, "whence_investigations_total");
      expect(investigated).toEqual({ completed: kinds, failed: 0 });
      for (const topic of [failuresTopic, investigationsTopic]) {
        await expect.poll(() => service.queue.depth(topic)).toMatchObject({ pending: 0, held: 0, dead: 0 });
      }
    });
  });
}
