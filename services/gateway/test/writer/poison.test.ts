import { randomUUID } from "node:crypto";
import type { Batch, TelemetryEvent } from "@whence/protocol";
import { type Delivery, failuresTopic, type Queue, type Storage, telemetryTopic } from "@whence/storage";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BatchMessage, readBatchMessage } from "../../src/telemetry/batch-message.ts";
import { batchOf, exceptionEvent } from "../batches.ts";
import { eventually } from "../eventually.ts";
import { publishBatch } from "../publish-batch.ts";
import { openTestStorage } from "../test-gateway.ts";
import {
  type ObservedStore,
  queueThatHandsOut,
  startTestWriter,
  storeThatRefuses,
  type TestWriter,
} from "./test-writer.ts";

let storage: Storage;
let store: ObservedStore;
let writer: TestWriter;
const bad = new Set<string>();
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());
afterEach(() => writer.stop());

const scope = randomUUID();
const attemptsMax = 2;

/** Returns the queue with immediate redelivery of refused messages, and few attempts. */
function impatientQueue(): Queue {
  const { queue } = storage;
  const impatient = (delivery: Delivery): Delivery => ({
    ...delivery,
    retry: (reason) => delivery.retry(reason, 0),
  });
  return queueThatHandsOut(queue, async (topic, options) =>
    (await queue.receive({ ...topic, maxAttempts: attemptsMax }, options)).map(impatient),
  );
}

function start(): void {
  store = storeThatRefuses(storage.events, (rows) => rows.some(({ event }) => bad.has(event.id)));
  writer = startTestWriter({ queue: impatientQueue(), events: store });
}

function publish(events: readonly TelemetryEvent[], changes: Partial<Batch> = {}): Promise<void> {
  const batch = { ...batchOf([], changes), events: [...events] };
  return publishBatch(storage.queue, scope, batch, new Date().toISOString());
}

function badEvent(changes: Partial<TelemetryEvent> = {}): TelemetryEvent {
  const event = exceptionEvent("bad", changes);
  bad.add(event.id);
  return event;
}

const isStored = async ({ id }: TelemetryEvent) => (await storage.events.forScope(scope).event(id)) !== null;

async function settled(): Promise<void> {
  await eventually("an empty queue", async () => {
    const { pending, held } = await storage.queue.depth(telemetryTopic);
    return pending + held === 0;
  });
}

/** Takes the dead letters, and returns the events of each with its reason. */
async function deadLetters() {
  const letters = await storage.queue.deadLetters(telemetryTopic, 1_000);
  await storage.queue.discard(
    telemetryTopic,
    letters.map(({ letter }) => letter),
  );
  return letters.map(({ body, reason }) => {
    const events = messageOf(body).batch.events;
    return { ids: events.map(({ id }) => id), reason };
  });
}

function messageOf(body: string): BatchMessage {
  const read = readBatchMessage(body);
  if ("unreadable" in read) throw new Error(read.unreadable);
  return read;
}

async function published(): Promise<string[]> {
  const deliveries = await storage.queue.receive(failuresTopic, { max: 1_000, waitMs: 0 });
  await Promise.all(deliveries.map((delivery) => delivery.ack()));
  return deliveries.flatMap(({ body }) =>
    JSON.parse(body).failures.map(({ event_id }: { event_id: string }) => event_id),
  );
}

describe("an event that the store refuses", () => {
  it("becomes a dead letter alone, and every other event is stored, whatever the mix", async () => {
    start();
    await publish([exceptionEvent("first")]);
    // An event is stored before its failure is published.
    await settled();
    await published();
    const batches = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, async (mix) => {
        const sent = mix.map((batch) => batch.map((isGood) => (isGood ? exceptionEvent("good") : badEvent())));
        await Promise.all(sent.map((events) => publish(events)));
        await settled();
        const [good, refused] = [
          sent.flat().filter(({ id }) => !bad.has(id)),
          sent.flat().filter(({ id }) => bad.has(id)),
        ];
        expect((await Promise.all(good.map(isStored))).every(Boolean)).toBe(true);
        expect((await published()).sort()).toEqual(good.map(({ id }) => id).sort());
        const letters = await deadLetters();
        expect(letters.map(({ ids }) => ids).sort()).toEqual(refused.map(({ id }) => [id]).sort());
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  it("is reported with the reason, and stored when it is redriven and the store accepts it", async () => {
    start();
    const claimedAt = "2300-01-01T00:00:00.000Z";
    const [good, refused] = [exceptionEvent("good"), badEvent({ timestamp: claimedAt })];
    await publish([good, refused]);
    await settled();
    expect(await writer.batches("split")).toBe(1);
    const [letter] = await storage.queue.deadLetters(telemetryTopic, 10);
    expect(letter).toMatchObject({ attempts: attemptsMax, reason: "the store takes no such thing" });
    expect(messageOf(letter?.body ?? "")).toMatchObject({
      scope_id: scope,
      batch: { service: "orders", env: "PROD" },
    });
    bad.delete(refused.id);
    expect(await storage.queue.redrive(telemetryTopic, [letter?.letter ?? ""])).toBe(1);
    await eventually("the event", () => isStored(refused));
    await settled();
    expect((await published()).sort()).toEqual([good.id, refused.id].sort());
    expect(await storage.events.forScope(scope).event(refused.id)).toMatchObject({ claimedAt });
  });

  it("doesn't take the dropped ranges of its batch with it", async () => {
    start();
    const dropped = [{ from_seq: 1, to_seq: 4, reason: "queue_full" as const }];
    const refused = badEvent();
    const good = exceptionEvent("good");
    const instance = randomUUID();
    await publish([refused, { ...good, seq: 6 }], { dropped, instance });
    await settled();
    expect(await deadLetters()).toMatchObject([{ ids: [refused.id] }]);
    const accounts = await storage.events
      .forScope(scope)
      .deliveries({ since: new Date(0).toISOString(), limit: 10, instance });
    const missing = [
      { fromSeq: 1, toSeq: 4, reason: "queue_full" },
      { fromSeq: 5, toSeq: 5, reason: "unaccounted" },
    ];
    expect(accounts).toMatchObject([{ received: 1, missing }]);
    expect(await writer.dropped("queue_full")).toBe(4);
    await published();
  });

  it("doesn't block later ones, even if it was alone and nothing had been stored", async () => {
    start();
    const [refused, later] = [badEvent(), exceptionEvent("later")];
    await publish([refused]);
    await eventually("a refusal", async () => store.refusals > 0);
    await publish([later]);
    await eventually("the later one", () => isStored(later));
    await settled();
    expect(await deadLetters()).toMatchObject([{ ids: [refused.id] }]);
    await published();
  });

  it("is found among a thousand in few calls", async () => {
    start();
    const events = Array.from({ length: 1_000 }, (_, index) => (index === 700 ? badEvent() : exceptionEvent("good")));
    await publish(events.slice(0, 500));
    await publish(events.slice(500));
    await settled();
    expect(await isStored(events[999] ?? exceptionEvent("none"))).toBe(true);
    expect(await deadLetters()).toHaveLength(1);
    expect(store.calls).toBeLessThan(40);
    await published();
  });
});
