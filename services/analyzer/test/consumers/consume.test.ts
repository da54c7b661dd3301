import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WhenceError } from "@whence/protocol";
import { openStorage, type Queue, type Storage, type Topic } from "@whence/storage";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Attempt, type Consumer, startConsumer } from "../../src/consumers/consume.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const schema = z.object({ value: z.string() });

let folder: string;
let storage: Storage;
let queue: Queue;
let consumer: Consumer | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-consume-"));
  storage = await openStorage({ dataDirectory: folder });
  queue = storage.queue;
});
afterEach(() => consumer?.stop(1_000));
afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

const topicOf = (name: string, maxAttempts = 3): Topic => ({
  name,
  visibilityTimeoutMs: 60_000,
  maxAttempts,
  deduplicationWindowMs: 60_000,
});

const publish = (topic: Topic, id: string, body: unknown) =>
  queue.publish(topic, [{ id, body: typeof body === "string" ? body : JSON.stringify(body) }]);

/** Starts a consumer that waits for the signal, and stops it as soon as it has the message. */
async function stopInTheMiddle(topic: Topic): Promise<number> {
  const begun = Promise.withResolvers<number>();
  consumer = startConsumer({
    ...{ queue, topic, schema, concurrency: 1, logger: silent },
    handle: (_message, { number, signal }) => {
      begun.resolve(number);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("abandoned")));
      });
    },
  });
  const number = await begun.promise;
  await consumer.stop(0);
  return number;
}

/** Consumes until `count` messages were handled, and returns them in order. */
async function consume(
  topic: Topic,
  count: number,
  handle: (value: string, attempt: Attempt) => Promise<void> = async () => undefined,
): Promise<[string, number][]> {
  const handled: [string, number][] = [];
  const all = Promise.withResolvers<void>();
  consumer = startConsumer({
    queue,
    topic,
    schema,
    concurrency: 1,
    logger: silent,
    handle: async ({ value }, attempt) => {
      handled.push([value, attempt.number]);
      if (handled.length === count) all.resolve();
      await handle(value, attempt);
    },
  });
  await all.promise;
  await consumer.stop(1_000);
  return handled;
}

describe("a consumer", () => {
  it("handles the messages of its topic in order, and acknowledges each", async () => {
    const topic = topicOf("in-order");
    for (const value of ["a", "b", "c"]) await publish(topic, value, { value });
    expect(await consume(topic, 3)).toEqual([
      ["a", 1],
      ["b", 1],
      ["c", 1],
    ]);
    expect(await queue.depth(topic)).toEqual({ pending: 0, held: 0, dead: 0, oldestAt: null });
  });

  it("receives a failed message again until its last attempt", async () => {
    const topic = topicOf("again", 2);
    await publish(topic, "a", { value: "a" });
    const handled = await consume(topic, 2, async () => {
      throw new Error("not yet");
    });
    expect(handled).toEqual([
      ["a", 1],
      ["a", 2],
    ]);
    expect((await queue.deadLetters(topic, 10)).map(({ id, reason }) => [id, reason])).toEqual([["a", "not yet"]]);
  });

  it("turns a message that doesn't match the topic into a dead letter, and continues", async () => {
    const topic = topicOf("foreign");
    await publish(topic, "text", "no json");
    await publish(topic, "shape", { other: 1 });
    await publish(topic, "good", { value: "good" });
    expect(await consume(topic, 1)).toEqual([["good", 1]]);
    expect((await queue.deadLetters(topic, 10)).map(({ id }) => id).sort()).toEqual(["shape", "text"]);
  });

  it("holds a message that waits for a database, which uses up no attempt", async () => {
    const topic = topicOf("patient", 1);
    await publish(topic, "a", { value: "a" });
    let tries = 0;
    const handled = await consume(topic, 2, async () => {
      tries += 1;
      if (tries === 1) throw new WhenceError("WHENCE_ERR_CONTROL_UNAVAILABLE", 503, "away");
    });
    expect(handled).toEqual([
      ["a", 1],
      ["a", 1],
    ]);
    expect(await queue.depth(topic)).toMatchObject({ pending: 0, held: 0, dead: 0 });
  });

  it("hands back a message that waits for a database when it stops", async () => {
    const topic = topicOf("impatient", 1);
    await publish(topic, "a", { value: "a" });
    await consume(topic, 1, async () => {
      throw new WhenceError("WHENCE_ERR_CONTROL_UNAVAILABLE", 503, "away");
    });
    expect(await queue.depth(topic)).toMatchObject({ pending: 1, held: 0, dead: 0 });
  });

  it("returns a message at once each time it is stopped in the middle, and never makes it a dead letter on its last attempt", async () => {
    const topic = topicOf("restarts", 2);
    await publish(topic, "a", { value: "a" });
    const attempts: number[] = [];
    for (let restart = 0; restart < 5; restart++) attempts.push(await stopInTheMiddle(topic));
    expect(attempts).toEqual([1, 2, 1, 2, 1]);
    expect(await queue.depth(topic)).toMatchObject({ pending: 1, held: 0, dead: 0 });
    expect(await consume(topic, 1)).toEqual([["a", 2]]);
    expect(await queue.depth(topic)).toMatchObject({ pending: 0, held: 0, dead: 0 });
  });

  it("makes a message a dead letter when its last attempt fails on its own during a stop", async () => {
    const topic = topicOf("own-fault", 1);
    await publish(topic, "a", { value: "a" });
    await consume(topic, 1, async () => {
      throw new Error("broken");
    });
    expect((await queue.deadLetters(topic, 10)).map(({ reason }) => reason)).toEqual(["broken"]);
  });

  it("lets the current message finish when it stops, and abandons it after the grace period", async () => {
    const topic = topicOf("stopping");
    await publish(topic, "slow", { value: "slow" });
    const begun = Promise.withResolvers<void>();
    let abandoned = false;
    consumer = startConsumer({
      queue,
      topic,
      schema,
      concurrency: 1,
      logger: silent,
      handle: (_message, { signal }) => {
        begun.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            abandoned = true;
            reject(new Error("abandoned"));
          });
        });
      },
    });
    await begun.promise;
    await consumer.stop(10);
    expect(abandoned).toBe(true);
    expect(await queue.depth(topic)).toMatchObject({ pending: 1, held: 0 });
  });
});
