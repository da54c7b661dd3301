import type { Storage } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { batchOf, logEvent } from "./batches.ts";
import { buildApp, openTestStorage, organizationWithKey, send } from "./test-gateway.ts";

/** Real storage that is closed in the course of this file, so the tests depend on their order. */
let storage: Storage;
let app: FastifyInstance;
let known: { key: string };
let unseen: { key: string };
const clock = { now: Date.now() };
beforeAll(async () => {
  storage = await openTestStorage();
  app = await buildApp({
    queue: storage.queue,
    keys: storage.control.keys,
    usage: storage.control.usage,
    secrets: storage.control,
    clock: () => clock.now,
  });
  known = await organizationWithKey(storage, "known");
  unseen = await organizationWithKey(storage, "unseen");
  return async () => {
    await app.close();
    await storage.close();
  };
});

const unavailable = {
  detail: "the batch could not be stored: send it again in 5 seconds",
  code: "WHENCE_ERR_TELEMETRY_UNAVAILABLE",
};

describe("without its control database, the gateway", () => {
  it("accepts batches with keys seen within 10 minutes, and answers the others with 503", async () => {
    expect((await send(app, known.key, batchOf([logEvent()]))).statusCode).toBe(202);
    await storage.control.close();
    for (const ms of [0, 10_000, 589_998, 1]) {
      clock.now += ms;
      expect((await send(app, known.key, batchOf([logEvent()]))).statusCode).toBe(202);
    }
    const answer = await send(app, unseen.key, batchOf([logEvent()]));
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.json()).toEqual(unavailable);
  });

  it("still names a missing header, and doesn't cache a failed lookup", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send(app, unseen.key, batchOf([logEvent()]))));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
  });
});

describe("without its queue, the gateway", () => {
  it("acknowledges nothing: 503 with Retry-After, without internal details", async () => {
    await storage.queue.close();
    const answer = await send(app, known.key, batchOf([logEvent()]));
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.json()).toEqual(unavailable);
  });

  it("still answers requests that need no queue", async () => {
    expect((await send(app, known.key, batchOf([]))).statusCode).toBe(202);
    expect((await send(app, known.key, "{")).statusCode).toBe(422);
  });
});

describe("without its control database for 10 minutes, the gateway", () => {
  it("answers a known key with 503 when 10 minutes have passed since it was valid", async () => {
    clock.now += 1;
    expect((await send(app, known.key, batchOf([logEvent()]))).json()).toEqual(unavailable);
  });
});
