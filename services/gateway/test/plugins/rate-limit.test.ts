import { type Storage, telemetryTopic } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchOf, logEvent } from "../batches.ts";
import { buildApp, newKey, openTestStorage, organizationWithKey, send } from "../test-gateway.ts";

let storage: Storage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const appOf = (telemetryPerMinutePerKey: number) =>
  buildApp({
    queue: storage.queue,
    keys: storage.control.keys,
    usage: storage.control.usage,
    secrets: storage.control,
    telemetryPerMinutePerKey,
  });
const batch = () => batchOf([logEvent()]);

describe("the rate of a key", () => {
  it("admits 3 of 3 requests, and answers the fourth with 429 and Retry-After", async () => {
    const app = await appOf(3);
    const { key } = await organizationWithKey(storage, "busy");
    for (let sent = 0; sent < 3; sent++) expect((await send(app, key, batch())).statusCode).toBe(202);
    const { pending } = await storage.queue.depth(telemetryTopic);
    const answer = await send(app, key, batch());
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(60);
    expect(answer.json()).toEqual({ detail: expect.any(String), code: "WHENCE_ERR_TELEMETRY_RATE" });
    expect((await storage.queue.depth(telemetryTopic)).pending).toBe(pending);
    await app.close();
  });

  it("admits 3 of 4 requests that come at once", async () => {
    const app = await appOf(3);
    const { key } = await organizationWithKey(storage, "burst");
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(app, key, batch())));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 202, 429]);
    await app.close();
  });

  it("is counted separately for each key", async () => {
    const app = await appOf(1);
    const [first, second] = [await organizationWithKey(storage, "a"), await organizationWithKey(storage, "b")];
    expect((await send(app, first.key, batch())).statusCode).toBe(202);
    expect((await send(app, first.key, batch())).statusCode).toBe(429);
    expect((await send(app, second.key, batch())).statusCode).toBe(202);
    await app.close();
  });
});

describe("guessing keys", () => {
  it("gets 429 after 60 unknown keys from one address, while keys in use there keep working", async () => {
    const app = await appOf(1_000);
    const { key } = await organizationWithKey(storage, "neighbor");
    expect((await send(app, key, batch())).statusCode).toBe(202);
    for (let guess = 0; guess < 60; guess++) expect((await send(app, newKey(), batch())).statusCode).toBe(401);
    const answer = await send(app, newKey(), batch());
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(answer.json()).toMatchObject({ code: "WHENCE_ERR_TELEMETRY_RATE" });
    expect((await send(app, key, batch())).statusCode).toBe(202);
    await app.close();
  });

  it("doesn't include one client with a wrong key, which gets 401 each time", async () => {
    const app = await appOf(1_000);
    const wrong = newKey();
    for (let sent = 0; sent < 70; sent++) expect((await send(app, wrong, batch())).statusCode).toBe(401);
    const { key } = await organizationWithKey(storage, "behind");
    expect((await send(app, key, batch())).statusCode).toBe(202);
    await app.close();
  });
});
