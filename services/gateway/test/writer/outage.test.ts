import { randomUUID } from "node:crypto";
import type { TelemetryEvent } from "@whence/protocol";
import { type EventStore, failuresTopic, type Storage, type StoredEvent, telemetryTopic } from "@whence/storage";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startWriter, type Writer } from "../../src/writer/writer.ts";
import { batchOf, exceptionEvent } from "../batches.ts";
import { eventually } from "../eventually.ts";
import { publishBatch } from "../publish-batch.ts";
import { openTestStorage } from "../test-gateway.ts";

let storage: Storage;
let writer: Writer | undefined;
beforeAll(async () => {
  storage = await openTestStorage();
});
afterAll(() => storage.close());
afterEach(async () => {
  await writer?.stop();
  writer = undefined;
});

const scope = randomUUID();
const silent = { warn: () => undefined, error: () => undefined };

/** The real store behind a door that is closed to some inserts. */
function storeThatRefuses(refuses: (events: readonly StoredEvent[]) => boolean): EventStore & { refused(): number } {
  let refused = 0;
  return {
    insert(events) {
      if (!refuses(events)) return storage.events.insert(events);
      refused += 1;
      return Promise.reject(new Error("the store is away"));
    },
    forScope: (scopeId) => storage.events.forScope(scopeId),
    close: () => storage.events.close(),
    refused: () => refused,
  };
}

async function publish(events: TelemetryEvent[]): Promise<void> {
  await publishBatch(storage.queue, scope, { ...batchOf([]), events }, new Date().toISOString());
}

const isStored = async ({ id }: TelemetryEvent) => (await storage.events.forScope(scope).event(id)) !== null;
const start = (events: EventStore) => startWriter({ queue: storage.queue, events, logger: silent });

describe("while the store is away", () => {
  it("batches are held and the later ones wait; all are stored when it is back, no attempt used up", async () => {
    let isAway = true;
    const store = storeThatRefuses(() => isAway);
    const events = Array.from({ length: 30 }, (_, index) => exceptionEvent(`away${index}`));
    await publish(events.slice(0, 1));
    writer = start(store);
    await eventually("a refusal", async () => store.refused() > 0);
    for (const event of events.slice(1)) await publish([event]);
    const refused = store.refused();
    await eventually("more refusals", async () => store.refused() > refused + 11);
    isAway = false;
    await eventually("all events", async () => (await Promise.all(events.map(isStored))).every(Boolean));
    await eventually("an empty queue", async () => {
      const { pending, held, dead } = await storage.queue.depth(telemetryTopic);
      return pending + held + dead === 0;
    });
    expect(writer.counts()).toEqual({ stored: 30, forwarded: 30, retried: 0, buried: 0 });
  });

  it("a stop hands back what is in hand, and the next writer stores it", async () => {
    const event = exceptionEvent("handedBack");
    const store = storeThatRefuses(() => true);
    await publish([event]);
    const first = start(store);
    await eventually("a refusal", async () => store.refused() > 0);
    await first.stop();
    expect(await storage.queue.depth(telemetryTopic)).toMatchObject({ held: 0, dead: 0 });
    writer = start(storage.events);
    await eventually("the event", () => isStored(event));
  });
});

describe("a batch that the store refuses by itself", () => {
  it("does not keep its neighbours out, and comes again by itself", async () => {
    const events = Array.from({ length: 5 }, (_, index) => exceptionEvent(`neighbour${index}`));
    const bad = events[2];
    let isBad = true;
    for (const event of events) await publish([event]);
    writer = start(storeThatRefuses((rows) => isBad && rows.some(({ event }) => event.id === bad?.id)));
    const good = events.filter((event) => event !== bad);
    await eventually("the neighbours", async () => (await Promise.all(good.map(isStored))).every(Boolean));
    await eventually("its retry", async () => writer?.counts().retried === 1);
    isBad = false;
    await eventually("the batch itself", async () => bad !== undefined && isStored(bad));
    // An event can be read before the writer has counted it.
    await eventually("its count", async () => writer?.counts().stored === 5);
    expect(writer.counts()).toMatchObject({ stored: 5, forwarded: 5, buried: 0 });
  });

  it("does not keep out what comes after it either, when it was alone at first", async () => {
    const [bad, later] = [exceptionEvent("alone"), exceptionEvent("later")];
    const store = storeThatRefuses((rows) => rows.some(({ event }) => event.id === bad.id));
    await publish([bad]);
    writer = start(store);
    await eventually("a refusal", async () => store.refused() > 0);
    await publish([later]);
    await eventually("the later one", () => isStored(later));
    await eventually("its retry", async () => (writer?.counts().retried ?? 0) > 0);
    expect(await isStored(bad)).toBe(false);
  });

  it("of twelve in a row does not keep out the thirteenth", async () => {
    const events = Array.from({ length: 13 }, (_, index) => exceptionEvent(`row${index}`));
    const good = events[12] ?? exceptionEvent("none");
    const bad = new Set(events.slice(0, 12).map(({ id }) => id));
    for (const event of events) await publish([event]);
    writer = start(storeThatRefuses((rows) => rows.some(({ event }) => bad.has(event.id))));
    await eventually("the thirteenth", () => isStored(good));
  });
});

describe("a stop", () => {
  it("waits for the insert under way", async () => {
    const event = exceptionEvent("underWay");
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const slow: EventStore = {
      ...storeThatRefuses(() => false),
      async insert(rows) {
        begin();
        await release;
        await storage.events.insert(rows);
      },
    };
    await publish([event]);
    const stopping = start(slow);
    await begun;
    const stopped = stopping.stop();
    resolve();
    await stopped;
    expect(await isStored(event)).toBe(true);
  });

  it("does not wait for an insert that never ends", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const hanging: EventStore = {
      ...storeThatRefuses(() => false),
      insert: () => {
        begin();
        return new Promise(() => undefined);
      },
    };
    await publish([exceptionEvent("hanging")]);
    const stopping = start(hanging);
    await begun;
    await stopping.stop();
    expect(stopping.counts().stored).toBe(0);
  });
});

describe("without its queue", () => {
  it("the writer says so and goes on asking, and stops when it is told to", async () => {
    const said: string[] = [];
    const logger = { warn: () => undefined, error: (_fields: object, message: string) => void said.push(message) };
    const stopping = startWriter({ queue: storage.queue, events: storage.events, logger });
    await storage.queue.close();
    await eventually("its complaint", async () => said.includes("the telemetry queue failed; it is asked again"));
    await stopping.stop();
    await expect(storage.queue.depth(failuresTopic)).rejects.toMatchObject({ code: "WHENCE_ERR_QUEUE_UNAVAILABLE" });
  });
});
