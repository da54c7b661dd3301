import type { SentryProject } from "@whence/protocol";
import { type Storage, telemetryTopic } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll } from "vitest";
import { gatewayMetrics } from "../../src/metrics.ts";
import { type KeptSpan, readBatchMessage } from "../../src/telemetry/batch-message.ts";
import { hashOf } from "../hash-of.ts";
import { buildApp, newKey, openTestStorage, organizationWithKey } from "../test-gateway.ts";

const start = Date.parse("2026-03-01T12:00:00.000Z");
let registry: Registry;
export let storage: Storage;
let app: FastifyInstance;
export let organizationId: string;
export const clock = { now: start };
/** When steps begin, in seconds. */
export const startedAt = start / 1_000;

/** Runs a gateway for what Sentry's clients send, for the tests of one file. */
export function useSentryGateway(): void {
  beforeAll(async () => {
    clock.now = start;
    registry = new Registry();
    storage = await openTestStorage();
    const { queue, control } = storage;
    const metrics = gatewayMetrics(registry);
    app = await buildApp({
      queue,
      keys: control.keys,
      usage: control.usage,
      secrets: control,
      clock: () => clock.now,
      metrics,
    });
    ({ id: organizationId } = await organizationWithKey(storage, "sentry"));
  });
  afterAll(async () => {
    await app.close();
    await storage.close();
  });
  afterEach(() => {
    clock.now += 60_000;
  });
}

/** Sends an envelope with a new key, of a service; returns the status of the answer. */
export async function sendEnvelope(
  payload: string | Buffer,
  origins: readonly string[] = [],
  service = "orders",
): Promise<number> {
  const key = newKey();
  const project: SentryProject = { id: "4711", service, env: "PROD", origins: [...origins] };
  await storage.control.keys.add({
    ...{ organizationId, name: "k", hash: hashOf(key), prefix: "whk_", scope: "sentry" },
    ...{ project, now: new Date(clock.now) },
  });
  const answer = await app.inject({
    ...{ method: "POST", url: "/api/4711/envelope/", payload },
    headers: { "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${key}` },
  });
  return answer.statusCode;
}

/** Returns the spans that were kept since the last look, each with the release and the environment of its process. */
export async function kept(): Promise<readonly (KeptSpan & { readonly release?: string; readonly env: string })[]> {
  const deliveries = await storage.queue.receive(telemetryTopic, { max: 100, waitMs: 0 });
  await Promise.all(deliveries.map((delivery) => delivery.ack()));
  return deliveries.flatMap(({ body }) => {
    const read = readBatchMessage(body);
    if ("unreadable" in read) throw new Error(read.unreadable);
    const { spans = [], release, env } = read.batch;
    return spans.map((span) => ({ ...span, ...(release && { release }), env }));
  });
}

/** What became of items, since the last look. */
export async function outcomes(): Promise<Record<string, number>> {
  return Object.fromEntries((await counted()).map(({ labels, value }) => [labels.outcome, value]));
}

/** The same by the type of the item. */
export async function outcomesByType(): Promise<Record<string, number>> {
  return Object.fromEntries((await counted()).map(({ labels, value }) => [`${labels.type} ${labels.outcome}`, value]));
}

async function counted() {
  const metric = registry.getSingleMetric("whence_sentry_items_total");
  const { values = [] } = (await metric?.get()) ?? {};
  metric?.reset();
  return values;
}

/** Not of the sample, so that only what failed or was slow is kept. */
export const traceId = "f".repeat(32);
