import { randomUUID } from "node:crypto";
import type { TelemetryEvent } from "@whence/protocol";
import { type EventStore, failuresTopic, type Storage, telemetryTopic } from "@whence/storage";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { batchOf, exceptionEvent } from "../batches.ts";
import { eventually } from "../eventually.ts";
import { publishBatch } from "../publish-batch.ts";
import { openTestStorage } from "../test-gateway.ts";
import { startTestWriter, storeThatRefuses, type TestWriter } from "./test-writer.ts";

let storage: Storage;
let writer: TestWriter | undefined;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());
afterEach(async () => {
  await writer?.stop();
  writer = undefined;
});

const scope = randomUUID();

async function publish(events: TelemetryEvent[]): Promise<void> {
  await publishBatch(storage.queue, scope, { ...batchOf([]), events }, new Date().toISOString());
}

const isStored = async ({ id }: TelemetryEvent) => (await storage.events.forScope(scope).event(id)) !== null;
const start = (events: EventStore): TestWriter => startTestWriter({ queue: storage.queue, events });
const queueIsEmpty = async () => {
  const { pending, held, dead } = await storage.queue.depth(telemetryTopic);
  return pending + held + dead === 0;
};

describe("while the store is down", () => {
  it("batches are held and later ones wait; all are stored when it is back, without using up attempts", async () => {
    let isAway = true;
    const store = storeThatRefuses(storage.events, () => isAway);
    const events = Array.from({ length: 30 }, (_, index) => exceptionEvent(`away${index}`));
    await publish(events.slice(0, 1));
    writer = start(store);
    await eventually("a refusal", async () => store.refusals > 0);
    for (const event of events.slice(1)) await publish([event]);
    const { refusals } = store;
    await eventually("more refusals", async () => store.refusals > refusals + 30);
    isAway = false;
    await eventually("all events", async () => (await Promise.all(events.map(isStored))).every(Boolean));
    await eventually("an empty queue", queueIsEmpty);
    expect([await writer.batches("stored"), await writer.forwarded()]).toEqual([30, 30]);
    expect([await writer.batches("split"), await writer.batches("retried")]).toEqual([0, 0]);
  });

  it("no batch is mistaken for a bad one when it fails between two groups, however few are in progress", async () => {
    let isAway = false;
    const store = storeThatRefuses(storage.events, () => isAway);
    writer = start(store);
    const [before, during] = [exceptionEvent("before"), exceptionEvent("during")];
    await publish([before]);
    await eventually("the first", () => isStored(before));
    isAway = true;
    await publish([during]);
    await eventually("refusals", async () => store.refusals > 4);
    isAway = false;
    await eventually("the second", () => isStored(during));
    await eventually("an empty queue", queueIsEmpty);
    expect([await writer.batches("stored"), await writer.batches("retried")]).toEqual([2, 0]);
  });

  it("it gets few calls: for a row that it accepted before, and for one group", async () => {
    let isAway = false;
    const store = storeThatRefuses(storage.events, () => isAway);
    writer = start(store);
    const before = exceptionEvent("littleBefore");
    await publish([before]);
    await eventually("the first", () => isStored(before));
    isAway = true;
    await publish(Array.from({ length: 100 }, (_, index) => exceptionEvent(`little${index}`)));
    const asked = store.calls;
    await eventually("a refusal", async () => store.refusals === 2);
    expect(store.calls).toBe(asked + 2);
    isAway = false;
    await eventually("an empty queue", queueIsEmpty);
  });

  it("a stop hands back the batches in progress, and the next writer stores them", async () => {
    const event = exceptionEvent("handedBack");
    const store = storeThatRefuses(storage.events, () => true);
    await publish([event]);
    const first = start(store);
    await eventually("a refusal", async () => store.refusals > 0);
    await first.stop();
    expect([await first.batches("handed_back"), await first.inHand()]).toEqual([1, 0]);
    expect(await storage.queue.depth(telemetryTopic)).toMatchObject({ held: 0, dead: 0 });
    writer = start(storage.events);
    await eventually("the event", () => isStored(event));
  });
});

describe("without its queue", () => {
  it("the writer logs it and keeps retrying, and can be stopped", async () => {
    const said: string[] = [];
    const logger = { warn: () => undefined, error: (_fields: object, message: string) => void said.push(message) };
    const stopping = startTestWriter({ queue: storage.queue, events: storage.events, logger });
    await storage.queue.close();
    await eventually("its complaint", async () => said.includes("the telemetry queue failed; it is asked again"));
    await stopping.stop();
    await expect(storage.queue.depth(failuresTopic)).rejects.toMatchObject({ code: "WHENCE_ERR_QUEUE_UNAVAILABLE" });
  });
});
