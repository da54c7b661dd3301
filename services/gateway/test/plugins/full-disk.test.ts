import { diskReserve, type Storage } from "@whence/storage";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gatewayMetrics } from "../../src/metrics.ts";
import { batchOf, logEvent } from "../batches.ts";
import { buildApp, openTestStorage, organizationWithKey, send } from "../test-gateway.ts";

let storage: Storage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

describe("a full disk", () => {
  it("makes batches get 503 below an eighth of the reserve, until there is room again", async () => {
    const free = { bytes: 125, now: 0 };
    const registry = new Registry();
    const app = await buildApp({
      queue: storage.queue,
      keys: storage.control.keys,
      usage: storage.control.usage,
      secrets: storage.control,
      metrics: gatewayMetrics(registry),
      disk: diskReserve({ reserveBytes: 1_000, freeBytes: async () => free.bytes, clock: () => free.now }),
    });
    const { key } = await organizationWithKey(storage, "full");
    const sent = async (bytes: number) => {
      free.bytes = bytes;
      free.now += 1_000;
      return send(app, key, batchOf([logEvent()]));
    };
    expect((await sent(125)).statusCode).toBe(202);
    const refused = await sent(124);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "30"]);
    expect(refused.json()).toEqual({
      detail: "the service's disk is full: send the batch again in 30 seconds, and have an operator free space",
      code: "WHENCE_ERR_TELEMETRY_DISK_FULL",
    });
    expect(await registry.metrics()).toContain('whence_telemetry_refused_batches_total{reason="disk_full"} 1');
    expect((await sent(125)).statusCode).toBe(202);
    await app.close();
  });
});
