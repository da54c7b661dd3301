import { hourMs, minuteMs } from "@whence/protocol";
import {
  checkInsTopic,
  type DiskReserve,
  type EventStore,
  failuresTopic,
  investigationsTopic,
  type Queue,
  type QueueDepth,
  type Topic,
  telemetryTopic,
  webhooksTopic,
} from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** Serves `GET /metrics`: the metrics of this process in Prometheus's text format. */
export function metricsRoute(app: FastifyInstance, registry: Registry): void {
  app.get("/metrics", { logLevel: "warn" }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

/** Creates a registry with the process's own metrics: memory, event loop, garbage collection. */
export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

const topics: readonly Topic[] = [telemetryTopic, failuresTopic, investigationsTopic, webhooksTopic, checkInsTopic];

/** Gauges are collected together, so one query of the queue serves them all. */
const lookRememberedMs = 1_000;

interface Look {
  readonly isUp: boolean;
  /** By topic; topics that didn't answer are missing. */
  readonly depths: ReadonlyMap<string, QueueDepth>;
}

/** Registers the number and age of pending, held, and dead messages, read from the queue on each scrape. */
export function queueMetrics(registry: Registry, queue: Queue, clock: () => number): void {
  const look = remembered(lookRememberedMs, clock, () => lookAt(queue));
  const perTopic = (name: string, help: string, value: (depth: QueueDepth) => number): void => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ["topic"],
      registers: [registry],
      async collect() {
        gauge.reset();
        for (const [topic, depth] of (await look()).depths) gauge.set({ topic }, value(depth));
      },
    });
  };
  perTopic("whence_queue_pending", "Messages that wait", ({ pending }) => pending);
  perTopic("whence_queue_held", "Messages that somebody works on", ({ held }) => held);
  perTopic("whence_queue_dead_letters", "Messages that stay until someone redrives them", ({ dead }) => dead);
  perTopic("whence_queue_lag_seconds", "Age of the oldest message that is not done", ({ oldestAt }) =>
    oldestAt === null ? 0 : Math.max(0, clock() - Date.parse(oldestAt)) / 1_000,
  );
  const up = new Gauge({
    name: "whence_queue_up",
    help: "1 when the queue answered this look",
    registers: [registry],
    async collect() {
      up.set((await look()).isUp ? 1 : 0);
    },
  });
}

/** Never rejects: a scrape must not fail when a server does. */
async function lookAt(queue: Queue): Promise<Look> {
  const answers = await Promise.allSettled(topics.map((topic) => queue.depth(topic)));
  const depths = new Map<string, QueueDepth>();
  for (const [index, answer] of answers.entries()) {
    if (answer.status === "fulfilled") depths.set(topics[index]?.name ?? "", answer.value);
  }
  return { isUp: depths.size === topics.length, depths };
}

/** Caches an answer for `ms` milliseconds. */
function remembered<Value>(ms: number, clock: () => number, ask: () => Promise<Value>): () => Promise<Value> {
  let answer: { readonly at: number; readonly value: Promise<Value> } | undefined;
  return () => {
    if (answer === undefined || clock() - answer.at >= ms) answer = { at: clock(), value: ask() };
    return answer.value;
  };
}

/** Registers the free space of the data's disk. Without a disk of ours there is no metric. */
export function diskMetrics(registry: Registry, disk: DiskReserve): void {
  const free = new Gauge({
    name: "whence_disk_free_bytes",
    help: "Free bytes of the disk that the data directory is on",
    registers: [registry],
    async collect() {
      const { freeBytes } = await disk.reading();
      if (Number.isFinite(freeBytes)) free.set(freeBytes);
    },
  });
}

const deliveryWindowMs = hourMs;
const deliveryRememberedMs = minuteMs;

/** Registers sequence numbers that never arrived, by reason, of processes with a heartbeat in the last hour. */
export function deliveryMetrics(registry: Registry, events: EventStore, clock: () => number): void {
  const look = remembered(deliveryRememberedMs, clock, () =>
    events.missing(new Date(clock() - deliveryWindowMs).toISOString()),
  );
  const missing = new Gauge({
    name: "whence_delivery_missing_events",
    help: "Events that never came, of processes with a heartbeat in the last hour, by reason; 100,000 of a process at most",
    labelNames: ["reason"],
    registers: [registry],
    async collect() {
      missing.reset();
      // Without the store there is no value; `/readyz` reports what is wrong with it.
      for (const { reason, events: count } of await look().catch(() => [])) missing.set({ reason }, count);
    },
  });
}
