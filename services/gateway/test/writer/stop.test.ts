import { randomUUID } from "node:crypto";
import type { TelemetryEvent } from "@whence/protocol";
import {
  type EventStore,
  failuresTopic,
  type PreparedEvents,
  type Queue,
  type Storage,
  telemetryTopic,
} from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchOf, exceptionEvent } from "../batches.ts";
import { eventually } from "../eventually.ts";
import { publishBatch } from "../publish-batch.ts";
import { openTestStorage } from "../test-gateway.ts";
import { queueThatHandsOut, startTestWriter, type TestWriter } from "./test-writer.ts";

let storage: Storage;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());

const scope = randomUUID();

async function publish(events: TelemetryEvent[]): Promise<void> {
  await publishBatch(storage.queue, scope, { ...batchOf([]), events }, new Date().toISOString());
}

const isStored = async ({ id }: TelemetryEvent) => (await storage.events.forScope(scope).event(id)) !== null;
const start = (events: EventStore, queue: Queue = storage.queue): TestWriter => startTestWriter({ queue, events });

/** Returns the real store with inserts that wait until they are released. */
function stalledStore() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const store: EventStore = {
    ...storage.events,
    async insertPrepared(parts: readonly PreparedEvents[]) {
      begin();
      await released;
      await storage.events.insertPrepared(parts);
    },
  };
  return { store, begun, release };
}

/** Returns the ids of events whose failures were published, once per publication. */
async function published(): Promise<string[]> {
  const deliveries = await storage.queue.receive(failuresTopic, { max: 1_000, waitMs: 0 });
  await Promise.all(deliveries.map((delivery) => delivery.ack()));
  return deliveries.flatMap(({ body }) =>
    JSON.parse(body).failures.map(({ event_id }: { event_id: string }) => event_id),
  );
}

describe("a stop", () => {
  it("waits for the insert in progress, and stores what was gathered meanwhile", async () => {
    const [first, second] = [exceptionEvent("underWay"), exceptionEvent("gathered")];
    const { store, begun, release } = stalledStore();
    await publish([first]);
    const writer = start(store);
    await begun;
    await publish([second]);
    await eventually("both in hand", async () => (await writer.inHand()) === 2);
    const stopped = writer.stop();
    release();
    await stopped;
    expect([await isStored(first), await isStored(second)]).toEqual([true, true]);
    expect(await storage.queue.depth(telemetryTopic)).toMatchObject({ pending: 0, held: 0, dead: 0 });
    await published();
  });

  it("takes no more batches", async () => {
    const writer = start(storage.events);
    await writer.stop();
    await publish([exceptionEvent("later")]);
    expect(await storage.queue.depth(telemetryTopic)).toMatchObject({ pending: 1, held: 0 });
    const next = start(storage.events);
    await eventually("an empty queue", async () => (await storage.queue.depth(telemetryTopic)).pending === 0);
    await next.stop();
    await published();
  });

  it("hands back, at the end of its grace period, what an endless insert holds", async () => {
    const event = exceptionEvent("hanging");
    const { store, begun } = stalledStore();
    await publish([event]);
    const writer = start(store);
    await begun;
    await writer.stop(50);
    expect([await writer.stored(), await writer.batches("handed_back")]).toEqual([0, 1]);
    const next = start(storage.events);
    await eventually("the event", () => isStored(event));
    await next.stop();
    expect(await published()).toEqual([event.id]);
  });

  it("doesn't turn a batch without attempts left into a dead letter", async () => {
    const event = exceptionEvent("lastAttempt");
    const { store, begun } = stalledStore();
    await publish([event]);
    for (let attempt = 1; attempt < telemetryTopic.maxAttempts; attempt++) {
      const [delivery] = await storage.queue.receive(telemetryTopic, { max: 1, waitMs: 1_000 });
      await delivery?.retry("not yet", 0);
    }
    const writer = start(store);
    await begun;
    await writer.stop(50);
    expect(await storage.queue.depth(telemetryTopic)).toMatchObject({ pending: 1, held: 0, dead: 0 });
    const next = start(storage.events);
    await eventually("the event", () => isStored(event));
    await next.stop();
    expect(await published()).toEqual([event.id]);
  });
});

describe("a writer suspended until its batches went to another", () => {
  it("does no harm when it resumes: events are stored once, failures are published once", async () => {
    const events = Array.from({ length: 4 }, (_, index) => exceptionEvent("stalled", { seq: index + 1 }));
    const { store, begun, release } = stalledStore();
    await publish(events.slice(0, 2));
    await publish(events.slice(2));
    // Too short for the writer to have extended it, as in a suspended process.
    const { queue } = storage;
    const hasty = queueThatHandsOut(queue, (topic, options) =>
      queue.receive({ ...topic, visibilityTimeoutMs: 200 }, options),
    );
    const stalled = start(store, hasty);
    await begun;
    const other = start(storage.events);
    await eventually("the other's events", async () => (await other.stored()) === 4);
    release();
    await eventually("the late insert", async () => (await stalled.stored()) === 4);
    await Promise.all([stalled.stop(), other.stop()]);
    const stored = await storage.events.forScope(scope).event(events[0]?.id ?? "");
    expect(await storage.events.forScope(scope).failure(stored?.fingerprint ?? "")).toMatchObject({ events: 4 });
    expect((await published()).sort()).toEqual(events.map(({ id }) => id).sort());
    expect(await storage.queue.depth(telemetryTopic)).toMatchObject({ pending: 0, held: 0, dead: 0 });
  });
});
