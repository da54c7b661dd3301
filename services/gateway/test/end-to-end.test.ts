import { failureMessageSchema } from "@whence/protocol";
import { failuresTopic, type Storage } from "@whence/storage";
import { afterAll, beforeAll, expect, it } from "vitest";
import { batchOf, exceptionEvent, logEvent } from "./batches.ts";
import { eventually } from "./eventually.ts";
import { buildApp, openTestStorage, organizationWithKey, send } from "./test-gateway.ts";
import { startTestWriter } from "./writer/test-writer.ts";

let storage: Storage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

// requirement: telemetry.other-env-received
it("stores what a 202 acknowledged, and reports its failures in every environment to the analyzer", async () => {
  const { queue, events, control } = storage;
  const { id, key } = await organizationWithKey(storage, "stores");
  const app = await buildApp({ queue, keys: control.keys, usage: control.usage, secrets: control });
  const writer = startTestWriter({ queue, events });

  const failure = exceptionEvent("total");
  const heartbeat = logEvent({ seq: 2, type: "heartbeat", level: "info", message: "" });
  const answer = await send(app, key, batchOf([failure, heartbeat], { env: "STAGING" }));
  expect(answer.statusCode).toBe(202);
  expect(answer.json()).toEqual({ accepted: 2, rejected: [] });

  const scope = events.forScope(id);
  const stored = await eventually("the event", async () => (await scope.event(failure.id)) ?? undefined);
  expect(stored).toMatchObject({ scopeId: id, env: "STAGING", service: "orders", event: failure });
  expect(stored.fingerprint).toMatch(/^v1:/);
  expect((await scope.event(heartbeat.id))?.fingerprint).toBe("");

  const [published] = await eventually("the failures", async () => {
    const deliveries = await queue.receive(failuresTopic, { max: 10, waitMs: 1_000 });
    return deliveries.length > 0 && deliveries;
  });
  const message = failureMessageSchema.parse(JSON.parse(published?.body ?? ""));
  expect(message.scope_id).toBe(id);
  expect(message.failures).toMatchObject([{ event_id: failure.id, env: "STAGING", mechanism: "uncaughtException" }]);
  // Failures can be published before the writer has counted them.
  await writer.stop();
  expect([await writer.stored(), await writer.forwarded(), await writer.batches("stored")]).toEqual([2, 1, 1]);
  await app.close();
});
