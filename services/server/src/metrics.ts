import {
  type EventStore,
  failuresTopic,
  investigationsTopic,
  type Queue,
  type Topic,
  telemetryTopic,
} from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** `GET /metrics`: everything that this process counts, in Prometheus's text format. */
export function metricsRoute(app: FastifyInstance, registry: Registry): void {
  app.get("/metrics", { logLevel: "warn" }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

/** A registry with the process's own figures: memory, event loop, garbage collection. */
export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

const topics: readonly Topic[] = [telemetryTopic, failuresTopic, investigationsTopic];

/** How much waits, is held and is dead, and for how long: asked of the queue whenever somebody looks. */
export function queueMetrics(registry: Registry, queue: Queue, clock: () => number): void {
  const gauge = (name: string, help: string): Gauge<"topic"> =>
    new Gauge({ name, help, labelNames: ["topic"], registers: [registry] });
  const pending = gauge("whence_queue_pending", "Messages that wait");
  const held = gauge("whence_queue_held", "Messages that somebody works on");
  const dead = gauge("whence_queue_dead_letters", "Messages that nobody will see again without help");
  const lag = gauge("whence_queue_lag_seconds", "Age of the oldest message that is not done");
  const up = new Gauge({
    name: "whence_queue_up",
    help: "1 when the queue answered this look",
    registers: [registry],
    async collect() {
      try {
        for (const topic of topics) {
          const depth = await queue.depth(topic);
          const labels = { topic: topic.name };
          pending.set(labels, depth.pending);
          held.set(labels, depth.held);
          dead.set(labels, depth.dead);
          lag.set(labels, depth.oldestAt === null ? 0 : Math.max(0, clock() - Date.parse(depth.oldestAt)) / 1_000);
        }
        up.set(1);
      } catch {
        // Said by the gauge: a look at the metrics must not fail when one of the servers does.
        up.set(0);
      }
    },
  });
}

const deliveryWindowMs = 3_600_000;
const deliveryRememberedMs = 60_000;

/** Sequence numbers that never came, by reason, of the processes heard of within the last hour. */
export function deliveryMetrics(registry: Registry, events: EventStore, clock: () => number): void {
  let askedAt = Number.NEGATIVE_INFINITY;
  const missing = new Gauge({
    name: "whence_delivery_missing_events",
    help: "Events of processes heard of within the last hour that never came, by reason",
    labelNames: ["reason"],
    registers: [registry],
    async collect() {
      if (clock() - askedAt < deliveryRememberedMs) return;
      askedAt = clock();
      try {
        const found = await events.missing(new Date(clock() - deliveryWindowMs).toISOString());
        missing.reset();
        for (const { reason, events: count } of found) missing.set({ reason }, count);
      } catch {
        // Without the store there is no figure; `/readyz` says what is wrong with it.
        missing.reset();
      }
    },
  });
}
