import { limits } from "@whence/protocol";
import { type Delivery, type Storage, telemetryTopic } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BatchMessage, readBatchMessage } from "../../src/telemetry/batch-message.ts";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";
import { buildApp, openTestStorage, organizationWithKey, send } from "../test-gateway.ts";

let storage: Storage;
let app: FastifyInstance;
let organization: { id: string; key: string };
const clock = { now: Date.parse("2026-03-01T12:00:00.000Z") };
beforeAll(async () => {
  storage = await openTestStorage();
  app = await buildApp({
    queue: storage.queue,
    keys: storage.control.keys,
    usage: storage.control.usage,
    secrets: storage.control,
    clock: () => clock.now,
  });
  organization = await organizationWithKey(storage, "route");
});
afterAll(async () => {
  await app.close();
  await storage.close();
});
afterEach(async () => {
  await published();
});

/** Removes the queue's messages and returns them. */
async function published(): Promise<{ id: string; message: BatchMessage }[]> {
  const deliveries: readonly Delivery[] = await storage.queue.receive(telemetryTopic, { max: 100, waitMs: 0 });
  await Promise.all(deliveries.map((delivery) => delivery.ack()));
  return deliveries.map(({ id, body }) => {
    const read = readBatchMessage(body);
    if ("unreadable" in read) throw new Error(read.unreadable);
    return { id, message: read };
  });
}

const post = (body: unknown) => send(app, organization.key, body);

describe("a batch", () => {
  it("is on the queue completely, with its organization and time of arrival, once 202 is answered", async () => {
    const batch = batchOf([exceptionEvent("total"), logEvent({ seq: 2 })], { release: "7" });
    const answer = await post(batch);
    expect(answer.statusCode).toBe(202);
    expect(answer.headers["content-type"]).toContain("application/json");
    expect(answer.json()).toEqual({ accepted: 2, rejected: [] });
    const messages = await published();
    expect(messages.map(({ message }) => message)).toEqual([
      { scope_id: organization.id, received_at: "2026-03-01T12:00:00.000Z", batch },
    ]);
  });

  it("sent again with another sent_at, as after a lost 202, is published once", async () => {
    const batch = batchOf([logEvent()]);
    expect((await post(batch)).statusCode).toBe(202);
    clock.now += 5_000;
    const again = await post({ ...batch, sent_at: new Date().toISOString() });
    expect(again.json()).toEqual({ accepted: 1, rejected: [] });
    expect(await published()).toHaveLength(1);
  });

  it("has the users of each organization hashed with a key of its own, until it decides otherwise", async () => {
    const [one, other] = await Promise.all(["users", "users-other"].map((slug) => organizationWithKey(storage, slug)));
    const userSent = async (by: { key: string } | undefined, id: unknown) => {
      await send(app, by?.key ?? "", batchOf([logEvent({ user: { id } })]));
      return (await published())[0]?.message.batch.events[0]?.user?.id;
    };
    const [text, number, elsewhere] = [await userSent(one, "7"), await userSent(one, 7), await userSent(other, "7")];
    expect(text).toMatch(/^hash:[0-9a-f]{16}$/);
    expect(number).toBe(text);
    expect(elsewhere).toMatch(/^hash:/);
    expect(elsewhere).not.toBe(text);
    const settings = {
      retentionDays: null,
      eventsPerDay: null,
      inputBytesMax: null,
      plainUsers: true,
      passwordsOff: false,
    };
    await storage.control.organizations.configure(one?.id ?? "", settings);
    clock.now += 10_000;
    expect(await userSent(one, "7")).toBe("7");
    await storage.control.organizations.configure(one?.id ?? "", {
      ...settings,
      plainUsers: false,
      passwordsOff: false,
    });
    clock.now += 10_000;
    expect(await userSent(one, "7")).toBe(text);
  });

  it("of another organization with the same events is another batch", async () => {
    const other = await organizationWithKey(storage, "route-other");
    const batch = batchOf([logEvent()]);
    await post(batch);
    await send(app, other.key, batch);
    const scopes = (await published()).map(({ message }) => message.scope_id);
    expect(scopes.sort()).toEqual([organization.id, other.id].sort());
  });

  it("gets default service and env when they are missing", async () => {
    const { service: _service, env: _env, ...bare } = batchOf([logEvent()]);
    expect((await post(bare)).statusCode).toBe(202);
    expect((await published())[0]?.message.batch).toMatchObject({ service: "default", env: "PROD" });
  });

  it("with 1,000 events is accepted, with 1,001 it gets 422", async () => {
    const events = Array.from({ length: limits.batchEventsMax + 1 }, (_, index) => logEvent({ seq: index + 1 }));
    const taken = await post(batchOf(events.slice(1)));
    expect(taken.json()).toEqual({ accepted: 1_000, rejected: [] });
    const refused = await post(batchOf(events));
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toEqual({
      detail: [
        {
          loc: ["body", "events"],
          msg: "List should have at most 1000 items",
          type: "too_long",
          ctx: { max_length: 1_000 },
        },
      ],
    });
  });

  it("without content gets 202, and nothing is published", async () => {
    expect((await post(batchOf([]))).json()).toEqual({ accepted: 0, rejected: [] });
    expect((await post(batchOf([], { dropped: [] }))).json()).toEqual({ accepted: 0, rejected: [] });
    expect((await post(batchOf([1]))).json()).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
    expect(await published()).toEqual([]);
  });

  it("that only reports dropped events is published", async () => {
    const dropped = [{ from_seq: 1, to_seq: 6, reason: "queue_full" as const }];
    expect((await post(batchOf([], { dropped }))).json()).toEqual({ accepted: 0, rejected: [] });
    expect((await published())[0]?.message.batch).toMatchObject({ events: [], dropped });
  });
});

describe("a batch whose own fields are invalid", () => {
  it.each([
    ["a list", [], ["body"], "dict_type"],
    ["a number", 5, ["body"], "dict_type"],
    ["null", null, ["body"], "dict_type"],
    ["without events", { ...batchOf([]), events: undefined }, ["body", "events"], "missing"],
    ["whose events are no list", { ...batchOf([]), events: {} }, ["body", "events"], "list_type"],
    ["without instance", { ...batchOf([]), instance: undefined }, ["body", "instance"], "missing"],
    ["with an empty service", { ...batchOf([]), service: "" }, ["body", "service"], "string_too_short"],
    [
      "with a service of 201 characters",
      { ...batchOf([]), service: "s".repeat(201) },
      ["body", "service"],
      "string_too_long",
    ],
    [
      "with a pid that is no number",
      { ...batchOf([]), host: { ...batchOf([]).host, pid: "1" } },
      ["body", "host", "pid"],
      "float_type",
    ],
    [
      "with a loss for no known reason",
      { ...batchOf([]), dropped: [{ from_seq: 1, to_seq: 1, reason: "?" }] },
      ["body", "dropped", 0, "reason"],
      "enum",
    ],
    [
      "with a loss that ends before it begins",
      { ...batchOf([]), dropped: [{ from_seq: 2, to_seq: 1, reason: "closed" }] },
      ["body", "dropped", 0, "to_seq"],
      "value_error",
    ],
  ])("gets 422 and publishes nothing: %s", async (_name, body, loc, type) => {
    const answer = await post(JSON.stringify(body));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject([{ loc, type, msg: expect.any(String) }]);
    expect(Object.keys(answer.json())).toEqual(["detail"]);
    expect(await published()).toEqual([]);
  });

  it("may have a service of 200 characters", async () => {
    expect((await post(batchOf([logEvent()], { service: "s".repeat(200) }))).statusCode).toBe(202);
  });
});

describe("a bad event", () => {
  it("is rejected alone, with its index and id, and the others are kept", async () => {
    const [first, last] = [logEvent(), logEvent({ seq: 3 })];
    const bad = { ...logEvent({ seq: 2 }), level: "fatal" };
    const answer = await post(batchOf([first, bad, last, "no event", null]));
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({
      accepted: 2,
      rejected: [
        { index: 1, id: bad.id, detail: [{ loc: ["body", "level"], type: "enum", input: "fatal" }] },
        { index: 3, detail: [{ loc: ["body"], type: "dict_type" }] },
        { index: 4, detail: [{ loc: ["body"], type: "dict_type" }] },
      ],
    });
    expect((await published())[0]?.message.batch.events).toEqual([first, last]);
  });
});

it("hides internal errors, and has its own error answers only on its own route", async () => {
  const answer = await app.inject({ method: "GET", url: "/api/telemetry/events" });
  expect(answer.statusCode).toBe(404);
});
