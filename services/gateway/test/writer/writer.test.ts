import { randomUUID } from "node:crypto";
import { failureMessageSchema, type TelemetryEvent } from "@whence/protocol";
import { type Delivery, failuresTopic, type Storage, type StoredEvent, telemetryTopic } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeBatchMessage } from "../../src/telemetry/batch-message.ts";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";
import { eventually } from "../eventually.ts";
import { publishBatch } from "../publish-batch.ts";
import { openTestStorage } from "../test-gateway.ts";
import { queueThatHandsOut, startTestWriter, type TestWriter } from "./test-writer.ts";

let storage: Storage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

function publish(scopeId: string, events: TelemetryEvent[], changes: object = {}): Promise<void> {
  return publishBatch(storage.queue, scopeId, { ...batchOf([], changes), events }, new Date().toISOString());
}

/** Runs a writer until the queue is empty. */
async function writeAll({ queue = storage.queue, events = storage.events } = {}): Promise<TestWriter> {
  const writer = startTestWriter({ queue, events });
  await eventually("an empty queue", async () => {
    const { pending, held } = await storage.queue.depth(telemetryTopic);
    return pending + held === 0;
  });
  await writer.stop();
  return writer;
}

/** Returns the published failures, in order. */
async function published() {
  const deliveries = await storage.queue.receive(failuresTopic, { max: 1_000, waitMs: 0 });
  await Promise.all(deliveries.map((delivery) => delivery.ack()));
  return deliveries.map(({ body }) => failureMessageSchema.parse(JSON.parse(body)));
}

describe("the writer", () => {
  it("stores the batch's header with each of its events, and its dropped ranges with the first", async () => {
    const scope = randomUUID();
    const dropped = [{ from_seq: 1, to_seq: 4, reason: "queue_full" as const }];
    const events = [exceptionEvent("total", { seq: 5 }), logEvent({ seq: 6, level: "info" })];
    const batch = { ...batchOf([], { service: "orders", env: "EU", release: "7", instance: "i1", dropped }), events };
    const receivedAt = new Date().toISOString();
    await publishBatch(storage.queue, scope, batch, receivedAt);
    await writeAll();
    const [first, second] = await Promise.all(events.map(({ id }) => storage.events.forScope(scope).event(id)));
    const common = {
      scopeId: scope,
      service: "orders",
      env: "EU",
      release: "7",
      instance: "i1",
      host: batch.host,
      sdk: batch.sdk,
      receivedAt,
    };
    expect(first).toEqual({
      ...common,
      event: events[0],
      fingerprint: expect.stringMatching(/^v1:[0-9a-f]{16}$/),
      dropped,
    });
    expect(second).toEqual({ ...common, event: events[1], fingerprint: "" });
    await published();
  });

  it.each(["2300-01-01T00:00:00.000Z", "1969-07-20T20:17:40.000Z"])(
    "dates an event that claims %s by its receipt, in the store and for the analyzer, and keeps the claim",
    async (claimedAt) => {
      const scope = randomUUID();
      const [odd, good] = [exceptionEvent("total", { timestamp: claimedAt }), exceptionEvent("total", { seq: 2 })];
      const receivedAt = new Date().toISOString();
      await publishBatch(storage.queue, scope, { ...batchOf([]), events: [odd, good] }, receivedAt);
      await writeAll();
      const scoped = storage.events.forScope(scope);
      expect(await scoped.event(odd.id)).toMatchObject({ event: { ...odd, timestamp: receivedAt }, claimedAt });
      expect(await scoped.event(good.id)).toMatchObject({ event: good });
      expect(await scoped.event(good.id)).not.toHaveProperty("claimedAt");
      const [failures] = await published();
      expect(failures?.failures.map(({ at }) => at)).toEqual([receivedAt, good.timestamp]);
    },
  );

  it("keeps the first version of an event whose id is repeated with other content, and counts the repetition", async () => {
    const scope = randomUUID();
    const [first, other] = [exceptionEvent("first"), exceptionEvent("other", { seq: 2 })];
    const forged = { ...first, service: "", message: "nothing happened", timestamp: new Date(0).toISOString() };
    const dropped = [{ from_seq: 3, to_seq: 4, reason: "queue_full" as const }];
    await publish(scope, [first]);
    await publish(scope, [forged, other], { dropped, instance: "i1" });
    await publish(scope, [other, first]);
    const writer = await writeAll();
    const scoped = storage.events.forScope(scope);
    expect(await writer.differing()).toBe(1);
    expect(await scoped.event(first.id)).toMatchObject({ event: first });
    expect(await scoped.event(other.id)).toMatchObject({ event: other });
    const [account] = await scoped.deliveries({ since: new Date(0).toISOString(), instance: "i1", limit: 1 });
    expect(account).toMatchObject({ received: 1, lastSeq: 4 });
    // Another writer remembers nothing; the store keeps the first version.
    await publish(scope, [forged]);
    await writeAll();
    expect(await scoped.event(first.id)).toMatchObject({ event: first });
    await published();
  });

  it("stores many waiting batches in few inserts", async () => {
    const scope = randomUUID();
    for (let index = 0; index < 100; index++) await publish(scope, [logEvent({ level: "info" })]);
    const writer = await writeAll();
    expect(await writer.stored()).toBe(100);
    expect(await writer.inserts()).toBeLessThanOrEqual(3);
  });

  it("stores a redelivered batch once, and publishes its failures once", async () => {
    const scope = randomUUID();
    const event = exceptionEvent("twice");
    await publish(scope, [event]);
    let lost = 0;
    const dying = (delivery: Delivery): Delivery => ({
      ...delivery,
      // As after a crash between the insert and the acknowledgment.
      ack: () => (lost++ === 0 ? delivery.retry("the process died", 0) : delivery.ack()),
    });
    const queue = queueThatHandsOut(storage.queue, async (topic, options) =>
      (await storage.queue.receive(topic, options)).map(dying),
    );
    expect(await (await writeAll({ queue })).stored()).toBe(2);
    const stored = await storage.events.forScope(scope).event(event.id);
    expect(await storage.events.forScope(scope).failure(stored?.fingerprint ?? "")).toMatchObject({ events: 1 });
    expect(await published()).toHaveLength(1);
  });

  it("publishes failures in the order of their batches, and nothing else", async () => {
    const scope = randomUUID();
    const batches = [
      [exceptionEvent("a"), logEvent({ level: "warning" }), logEvent({ level: "critical" })],
      [logEvent({ type: "heartbeat", level: "info" }), logEvent({ type: "exit", level: "info" })],
      [exceptionEvent("b", { level: "warning" }), exceptionEvent("c")],
    ];
    for (const events of batches) await publish(scope, events);
    await writeAll();
    const messages = await published();
    expect(messages.map(({ failures }) => failures.map(({ event_id }) => event_id))).toEqual([
      [batches[0]?.[0]?.id, batches[0]?.[2]?.id],
      [batches[2]?.[1]?.id],
    ]);
    expect(messages.every(({ scope_id }) => scope_id === scope)).toBe(true);
  });

  // requirement: telemetry.only-prod-triggers
  it("publishes the environment of each failure exactly as sent", async () => {
    const scope = randomUUID();
    for (const env of ["PROD", "prod", "STAGING", "PROD "]) await publish(scope, [exceptionEvent("f")], { env });
    await writeAll();
    expect((await published()).flatMap(({ failures }) => failures.map(({ env }) => env))).toEqual([
      "PROD",
      "prod",
      "STAGING",
      "PROD ",
    ]);
  });
});

describe("a message that isn't a batch", () => {
  const batch = batchOf([logEvent({ level: "info" })]);
  const header = { scope_id: randomUUID(), received_at: new Date().toISOString() };
  const valid = () => writeBatchMessage({ ...header, scope_id: randomUUID() }, JSON.stringify(batch));

  it.each([
    ["no JSON", "{", "it is not JSON"],
    ["another thing", `{"a":1}\n{}`, "it is no batch: body."],
    [
      "a batch of no organization",
      `${JSON.stringify({ ...header, scope_id: undefined })}\n${JSON.stringify(batch)}`,
      "it is no batch: body.scope_id: Field required",
    ],
    ["half a batch", writeBatchMessage(header, '{"events":['), "its batch is not JSON"],
    [
      "a batch with an event that can't be stored",
      writeBatchMessage(header, JSON.stringify({ ...batch, events: [{}] })),
      "its events can't be stored: ",
    ],
  ])("becomes a dead letter with its reason, and the others are stored: %s", async (_name, body, reason) => {
    const [before, after] = [valid(), valid()];
    const id = randomUUID();
    await storage.queue.publish(telemetryTopic, [
      { id: randomUUID(), body: before },
      { id, body },
      { id: randomUUID(), body: after },
    ]);
    const writer = await writeAll();
    expect([await writer.stored(), await writer.batches("stored"), await writer.batches("buried")]).toEqual([2, 2, 1]);
    const [letter] = await storage.queue.deadLetters(telemetryTopic, 1);
    expect(letter).toMatchObject({ id, body, reason: expect.stringContaining(reason) });
  });
});

describe("dropped ranges without an event", () => {
  const dropped = [
    { from_seq: 1, to_seq: 4, reason: "queue_full" as const },
    { from_seq: 6, to_seq: 6, reason: "rejected" as const },
  ];

  it("are stored with their batch's header, and counted by reason", async () => {
    const scope = randomUUID();
    const instance = randomUUID();
    await publish(scope, [], { service: "orders", env: "EU", instance, dropped });
    const writer = await writeAll();
    const since = new Date(0).toISOString();
    expect(await storage.events.forScope(scope).deliveries({ since, limit: 10 })).toMatchObject([
      {
        instance,
        service: "orders",
        env: "EU",
        received: 0,
        lastSeq: 6,
        missing: [
          { fromSeq: 1, toSeq: 4, reason: "queue_full" },
          { fromSeq: 5, toSeq: 5, reason: "unaccounted" },
          { fromSeq: 6, toSeq: 6, reason: "rejected" },
        ],
      },
    ]);
    expect([await writer.dropped("queue_full"), await writer.dropped("rejected")]).toEqual([4, 1]);
    expect(await writer.batches("stored")).toBe(1);
    expect(await storage.queue.deadLetters(telemetryTopic, 10)).not.toContainEqual(
      expect.objectContaining({ body: expect.stringContaining(scope) }),
    );
  });

  it("count up to 100,000 per batch in metrics that all organizations share, whatever a client claims", async () => {
    const claimed = [{ from_seq: 1, to_seq: Number.MAX_SAFE_INTEGER, reason: "closed" as const }];
    await publish(randomUUID(), [], { dropped: claimed });
    const writer = await writeAll();
    expect(await writer.dropped("closed")).toBe(100_000);
    const missing = await storage.events.missing(new Date(0).toISOString());
    expect(missing.find(({ reason }) => reason === "closed")).toEqual({ reason: "closed", events: 100_000 });
  });

  it("are counted as well when an event carries them", async () => {
    const events = [logEvent({ seq: 5, level: "info" }), logEvent({ seq: 7, level: "info" })];
    await publish(randomUUID(), events, { dropped });
    const writer = await writeAll();
    expect([await writer.dropped("queue_full"), await writer.dropped("rejected")]).toEqual([4, 1]);
  });
});

describe("retention", () => {
  it("is the organization's, as in the message", async () => {
    const retained: (number | undefined)[] = [];
    const events = {
      ...storage.events,
      prepare(rows: readonly StoredEvent[]) {
        retained.push(...rows.map(({ retentionDays }) => retentionDays));
        return storage.events.prepare(rows);
      },
    };
    const message = { scope_id: randomUUID(), received_at: new Date().toISOString() };
    const bodies = [{ ...message, retention_days: 7 }, message].map((frame) =>
      writeBatchMessage(frame, JSON.stringify(batchOf([logEvent({ level: "info" })]))),
    );
    await storage.queue.publish(
      telemetryTopic,
      bodies.map((body) => ({ id: randomUUID(), body })),
    );
    await writeAll({ events });
    expect(retained).toEqual([7, undefined]);
  });
});

describe("a writer at its limit", () => {
  it("doesn't block its process, and continues once its batches are acknowledged", async () => {
    const scopeId = randomUUID();
    const batches = 64;
    const eventsOfBatch = 500;
    for (let count = 0; count < batches; count++) {
      await publish(
        scopeId,
        Array.from({ length: eventsOfBatch }, (_, index) => logEvent({ seq: index + 1 })),
      );
    }
    const writer = await writeAll();
    expect(await writer.stored()).toBe(batches * eventsOfBatch);
  });
});
