import { gzipSync } from "node:zlib";
import { limits } from "@whence/protocol";
import type { Storage } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gatewayMetrics } from "../src/metrics.ts";
import { batchOf, logEvent } from "./batches.ts";
import { buildApp, newKey, openTestStorage, organizationWithKey, send } from "./test-gateway.ts";

let storage: Storage;
let app: FastifyInstance;
let organization: { id: string; key: string; keyId: string };
const registry = new Registry();
beforeAll(async () => {
  storage = await openTestStorage();
  const { queue, control } = storage;
  const metrics = gatewayMetrics(registry);
  app = await buildApp({ queue, keys: control.keys, usage: control.usage, secrets: control, metrics });
  organization = await organizationWithKey(storage, "counted");
});
afterAll(async () => {
  await app.close();
  await storage.close();
});

async function series(name: string): Promise<Record<string, number>> {
  const values = (await registry.getSingleMetric(name)?.get())?.values ?? [];
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(), value]));
}

describe("the metrics of ingestion", () => {
  it("count accepted and rejected events, and bytes received and unpacked", async () => {
    const body = JSON.stringify(batchOf([logEvent(), logEvent({ seq: 2 }), { seq: 3 }]));
    const packed = gzipSync(body);
    await send(app, organization.key, packed, { "content-encoding": "gzip" });
    await send(app, organization.key, body);
    expect(await series("whence_telemetry_events_total")).toEqual({ accepted: 4, rejected: 2 });
    expect(await series("whence_telemetry_bytes_total")).toEqual({
      wire: packed.length + body.length,
      unpacked: 2 * body.length,
    });
    const counts = (await registry.metrics()).match(/whence_telemetry_request_duration_seconds_count.*/g);
    expect(counts).toEqual(['whence_telemetry_request_duration_seconds_count{status="202"} 2']);
  });

  it("count refused batches by reason, without names or keys", async () => {
    const { key } = organization;
    await send(app, newKey(), batchOf([]));
    await send(app, key, "{");
    await send(app, key, batchOf([]), { "content-encoding": "br" });
    await send(app, key, "x", { "content-encoding": "gzip" });
    await send(app, key, Buffer.alloc(limits.batchBytesMax + 1));
    expect(await series("whence_telemetry_refused_batches_total")).toEqual({
      unknown_key: 1,
      invalid: 1,
      type: 1,
      corrupt: 1,
      too_large: 1,
    });
    const page = await registry.metrics();
    for (const secret of [organization.id, organization.key, organization.keyId, "counted"]) {
      expect(page).not.toContain(secret);
    }
  });
});
