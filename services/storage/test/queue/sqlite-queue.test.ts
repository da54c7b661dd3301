import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { dayMs } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Delivery, Queue, Topic } from "../../src/index.ts";
import { openSqliteQueue } from "../../src/queue/sqlite-queue.ts";
import { failuresTopic, telemetryTopic } from "../../src/queue/topics.ts";
import { followModel, queueSteps } from "../queue-model.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

const topic = telemetryTopic;
const program = join(import.meta.dirname, "../programs/publish-until-stopped.ts");
const command = [process.execPath, "--conditions=@whence/source", program] as const;

async function open(path: string, maxBytes?: number): Promise<Queue> {
  const queue = await openSqliteQueue({ path, ...(maxBytes === undefined ? {} : { maxBytes }) });
  onTestFinished(() => queue.close());
  return queue;
}

/** Runs until `stop` says so about the lines printed, or until it ends; then gives the lines. */
async function linesOf(argv: readonly string[], stop: (lines: string[]) => boolean): Promise<string[]> {
  const [file = "", ...rest] = argv;
  const child = spawn(file, rest, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    if (stop(output.split("\n"))) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.on("close", resolve));
  return output.split("\n").filter((line) => line !== "");
}

async function drain(queue: Queue): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const deliveries = await queue.receive(topic, { max: 1_000, waitMs: 0 });
    if (deliveries.length === 0) return found;
    found.push(...deliveries.map(({ id }) => id));
    await Promise.all(deliveries.map((delivery) => delivery.ack()));
  }
}

function expectWholePairs(found: readonly string[], printed: readonly string[]): void {
  const all = new Set(found);
  expect(found.length).toBe(all.size);
  const missing = printed.flatMap((name) => [`${name}-1`, `${name}-2`]).filter((id) => !all.has(id));
  expect(missing).toEqual([]);
  const halves = found.filter((id) => !all.has(id.endsWith("-1") ? id.replace(/1$/, "2") : id.replace(/2$/, "1")));
  expect(halves).toEqual([]);
}

describe("sqlite queue: durability", () => {
  it.each([1, 50, 400])("has every message whose publish resolved before a kill -9 at line %d", async (lines) => {
    const path = join(temporaryDirectory(), "queue.sqlite");
    const printed = await linesOf([...command, path], (all) => all.length > lines);
    const found = await drain(await open(path));
    expect(printed.length).toBeGreaterThanOrEqual(lines);
    expectWholePairs(found, printed);
  });

  it("rejects when the disk is full, keeps what it had, and continues once there is room", async () => {
    const path = join(temporaryDirectory(), "queue.sqlite");
    // A file of this process may not grow beyond 1 MiB: what a full disk does, without filling one.
    const limited = ["sh", "-c", 'trap "" XFSZ; ulimit -f 2048; exec "$@"', "sh", ...command, path];
    const printed = await linesOf(limited, () => false);
    expect(printed.at(-1)).toBe("refused WHENCE_ERR_QUEUE_UNAVAILABLE");
    const queue = await open(path);
    await queue.publish(topic, [{ id: "after", body: "{}" }]);
    const found = await drain(queue);
    expect(found).toContain("after");
    expectWholePairs(
      found.filter((id) => id !== "after"),
      printed.filter((line) => !line.startsWith("refused")),
    );
  });
});

describe("sqlite queue: limits", () => {
  const mebibyte = 1_048_576;
  const body = "x".repeat(100_000);

  it("rejects a whole publish beyond maxBytes, keeps what it has, and accepts more once drained", async () => {
    const queue = await open(join(temporaryDirectory(), "queue.sqlite"), mebibyte);
    let kept = 0;
    const fill = async (): Promise<void> => {
      for (; ; kept++) await queue.publish(topic, [{ id: `m${kept}`, body }]);
    };
    await expect(fill()).rejects.toMatchObject({ code: "WHENCE_ERR_QUEUE_UNAVAILABLE" });
    expect(kept).toBeGreaterThan(5);
    const two = [
      { id: "small", body: "{}" },
      { id: "large", body: body.repeat(10) },
    ];
    await expect(queue.publish(topic, two)).rejects.toMatchObject({ code: "WHENCE_ERR_QUEUE_UNAVAILABLE" });
    expect(await drain(queue)).toEqual(Array.from({ length: kept }, (_, index) => `m${index}`));
    await queue.publish(topic, [{ id: `m${kept}`, body }]);
    expect(await drain(queue)).toEqual([`m${kept}`]);
  });

  it("accepts what is published while handling a message, even when full", async () => {
    const queue = await open(join(temporaryDirectory(), "queue.sqlite"), mebibyte);
    const fill = async (): Promise<void> => {
      for (let kept = 0; ; kept++) await queue.publish(topic, [{ id: `m${kept}`, body }]);
    };
    await expect(fill()).rejects.toMatchObject({ code: "WHENCE_ERR_QUEUE_UNAVAILABLE" });
    await queue.publish(failuresTopic, [{ id: "told", body }]);
    expect((await queue.depth(failuresTopic)).pending).toBe(1);
    await expect(queue.publish(topic, [{ id: "more", body }])).rejects.toThrow();
  });

  it("lets the neighbors of a rejected publish succeed", async () => {
    const queue = await open(join(temporaryDirectory(), "queue.sqlite"), mebibyte);
    const outcomes = await Promise.allSettled([
      queue.publish(topic, [{ id: "first", body: "{}" }]),
      queue.publish(topic, [{ id: "too large", body: body.repeat(11) }]),
      queue.publish(topic, [{ id: "last", body: "{}" }]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await drain(queue)).toEqual(["first", "last"]);
  });

  it("frees the space of acknowledged messages", async () => {
    const path = join(temporaryDirectory(), "queue.sqlite");
    const queue = await openSqliteQueue({ path });
    for (let index = 0; index < 40; index++) await queue.publish(topic, [{ id: `${index}`, body: body.repeat(10) }]);
    for (;;) {
      const [delivery] = await queue.receive(topic, { max: 1, waitMs: 0 });
      if (!delivery) break;
      await delivery.ack();
    }
    await queue.close();
    expect(statSync(path).size).toBeLessThan(16 * mebibyte);
  });

  it("delivers no further message while 32 MiB are in flight, even when more are requested", async () => {
    const queue = await open(join(temporaryDirectory(), "queue.sqlite"));
    const large = "x".repeat(8 * mebibyte);
    for (let index = 0; index < 5; index++) await queue.publish(topic, [{ id: `m${index}`, body: large }]);
    await queue.publish(topic, [{ id: "huge", body: large.repeat(5) }]);
    const taken: number[] = [];
    for (let round = 0; round < 4; round++) {
      taken.push((await queue.receive(topic, { max: 100, waitMs: 0 })).length);
    }
    expect(taken).toEqual([4, 2, 0, 0]);
  });

  it("forgets the IDs of messages whose deduplication window is over", async () => {
    const path = join(temporaryDirectory(), "queue.sqlite");
    let now = Date.parse("2026-03-01T12:00:00.000Z");
    const queue = await openSqliteQueue({ path, clock: () => now });
    for (let round = 0; round < 50; round++) {
      await queue.publish(
        topic,
        Array.from({ length: 20 }, (_, index) => ({ id: `${round}-${index}`, body: "{}" })),
      );
      now += topic.deduplicationWindowMs;
    }
    await queue.close();
    const db = new DatabaseSync(path);
    expect(db.prepare("SELECT count(*) AS count FROM seen").get()).toEqual({ count: 20 });
    db.close();
  });
});

describe("sqlite queue: to the millisecond", () => {
  const jobs: Topic = { name: "jobs", visibilityTimeoutMs: 1_000, maxAttempts: 3, deduplicationWindowMs: 10_000 };

  const opened = async (): Promise<{ queue: Queue; time: { now: number }; reopen: () => Promise<Queue> }> => {
    const path = join(temporaryDirectory(), "queue.sqlite");
    const time = { now: Date.parse("2026-03-01T12:00:00.000Z") };
    const openAgain = async (): Promise<Queue> => {
      const queue = await openSqliteQueue({ path, clock: () => time.now });
      onTestFinished(() => queue.close());
      return queue;
    };
    const queue = await openAgain();
    const reopen = async (): Promise<Queue> => {
      await queue.close();
      return openAgain();
    };
    return { queue, time, reopen };
  };
  const take = (queue: Queue, max = 10): Promise<readonly Delivery[]> => queue.receive(jobs, { max, waitMs: 0 });

  it("drops a duplicate ID 1 ms before its window ends, and accepts it when it ends", async () => {
    const { queue, time } = await opened();
    await queue.publish(jobs, [{ id: "a", body: "" }]);
    time.now += jobs.deduplicationWindowMs - 1;
    await queue.publish(jobs, [{ id: "a", body: "" }]);
    expect(await queue.depth(jobs)).toMatchObject({ pending: 1 });
    time.now += 1;
    await queue.publish(jobs, [{ id: "a", body: "" }]);
    expect(await queue.depth(jobs)).toMatchObject({ pending: 2 });
  });

  it("holds a message 1 ms before its timeout ends, and delivers it when it ends", async () => {
    const { queue, time } = await opened();
    await queue.publish(jobs, [{ id: "a", body: "" }]);
    await take(queue);
    time.now += jobs.visibilityTimeoutMs - 1;
    expect(await take(queue)).toEqual([]);
    time.now += 1;
    const [again] = await take(queue);
    expect(again).toMatchObject({ id: "a", attempt: 2 });
    time.now += 900;
    await again?.extend();
    time.now += jobs.visibilityTimeoutMs - 1;
    expect(await take(queue)).toEqual([]);
    time.now += 1;
    expect(await take(queue)).toMatchObject([{ id: "a", attempt: 3 }]);
  });

  it("delivers a retried message after its delay, not 1 ms earlier", async () => {
    const { queue, time } = await opened();
    await queue.publish(jobs, [{ id: "a", body: "" }]);
    await (await take(queue))[0]?.retry("the store is down", 5_000);
    time.now += 4_999;
    expect(await take(queue)).toEqual([]);
    time.now += 1;
    expect(await take(queue)).toMatchObject([{ id: "a", attempt: 2 }]);
  });

  it("releases at once, after a restart, what the previous process held, and keeps its attempts and delays", async () => {
    const { queue, time, reopen } = await opened();
    await queue.publish(jobs, [
      { id: "held", body: "" },
      { id: "delayed", body: "" },
    ]);
    await (await take(queue))[1]?.retry("later", 5_000);
    const again = await reopen();
    const [held] = await take(again);
    expect(held).toMatchObject({ id: "held", attempt: 2 });
    await held?.ack();
    time.now += 5_000;
    expect(await take(again)).toMatchObject([{ id: "delayed", attempt: 2 }]);
  });

  it("does what a plain list would do, whatever is done to it", async () => {
    const { queue, time } = await opened();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(queueSteps, async (steps) => {
        run += 1;
        const fresh = { ...jobs, name: `model-${run}` };
        const { alive, held, dead } = await followModel({ queue, topic: fresh, time, delayMs: 500 }, steps);
        expect(await queue.depth(fresh)).toMatchObject({ pending: alive - held, held, dead });
      }),
      { numRuns: 150 },
    );
  });

  it("forgets a dead letter after 30 days, not 1 ms earlier", async () => {
    const { queue, time } = await opened();
    await queue.publish(jobs, [{ id: "a", body: "" }]);
    await (await take(queue))[0]?.bury("no use");
    time.now += 30 * dayMs - 1;
    expect(await queue.deadLetters(jobs, 10)).toMatchObject([{ id: "a", buriedAt: "2026-03-01T12:00:00.000Z" }]);
    time.now += 1;
    expect(await queue.depth(jobs)).toMatchObject({ dead: 0 });
    expect(await queue.deadLetters(jobs, 10)).toEqual([]);
  });
});

describe("sqlite queue: large messages", () => {
  it("keeps an 8 MiB body unchanged, as a message and as a dead letter", async () => {
    const queue = await open(join(temporaryDirectory(), "queue.sqlite"));
    const body = 'é😀x\n\u0000"'.repeat(1_000_000).slice(0, 8 * 1_048_576);
    await queue.publish(topic, [{ id: "large", body }]);
    const [delivery] = await queue.receive(topic, { max: 1, waitMs: 0 });
    expect(delivery?.body === body).toBe(true);
    await delivery?.bury("no use");
    const [letter] = await queue.deadLetters(topic, 1);
    expect(letter?.body === body).toBe(true);
  });
});

describe("sqlite queue: limit of dead letters", () => {
  const body = "x".repeat(50_000);

  it("drops the oldest beyond an eighth of maxBytes, so that no publish is rejected because of them", async () => {
    const queue = await open(join(temporaryDirectory(), "queue.sqlite"), 1_048_576);
    for (let index = 0; index < 100; index++) {
      await queue.publish(topic, [{ id: `m${index}`, body }]);
      await (await queue.receive(topic, { max: 1, waitMs: 0 }))[0]?.bury("no use");
    }
    const letters = await queue.deadLetters(topic, 1_000);
    expect(letters.map(({ id }) => id)).toEqual(["m99", "m98"]);
    expect(await queue.depth(topic)).toMatchObject({ dead: 2 });
  });

  it("frees the space of discarded letters", async () => {
    const path = join(temporaryDirectory(), "queue.sqlite");
    const queue = await openSqliteQueue({ path });
    for (let index = 0; index < 40; index++) {
      await queue.publish(topic, [{ id: `m${index}`, body: body.repeat(20) }]);
      await (await queue.receive(topic, { max: 1, waitMs: 0 }))[0]?.bury("no use");
    }
    for (const { letter } of await queue.deadLetters(topic, 100)) await queue.discard(topic, [letter]);
    await queue.close();
    expect(statSync(path).size).toBeLessThan(16 * 1_048_576);
  });
});

describe("sqlite queue: opening", () => {
  it("rejects a path that can't be opened, naming it", async () => {
    const path = join(temporaryDirectory(), "missing", "queue.sqlite");
    await expect(openSqliteQueue({ path })).rejects.toMatchObject({
      code: "WHENCE_ERR_QUEUE_UNAVAILABLE",
      message: expect.stringContaining(path),
    });
  });

  it("rejects a file that another process has open", async () => {
    const path = join(temporaryDirectory(), "queue.sqlite");
    await open(path);
    await expect(openSqliteQueue({ path })).rejects.toMatchObject({ code: "WHENCE_ERR_QUEUE_UNAVAILABLE" });
  });
});
