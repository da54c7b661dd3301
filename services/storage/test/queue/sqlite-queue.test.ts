import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Queue } from "../../src/index.ts";
import { openSqliteQueue } from "../../src/queue/sqlite-queue.ts";
import { telemetryTopic } from "../../src/queue/topics.ts";
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

  it("refuses when the disk takes no more, keeps what it had whole, and goes on once there is room", async () => {
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

describe("sqlite queue: its bound", () => {
  const mebibyte = 1_048_576;
  const body = "x".repeat(100_000);

  it("refuses a publish beyond maxBytes whole, keeps what it has, and takes more once drained", async () => {
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

  it("lets the neighbours of a refused publish succeed", async () => {
    const queue = await open(join(temporaryDirectory(), "queue.sqlite"), mebibyte);
    const outcomes = await Promise.allSettled([
      queue.publish(topic, [{ id: "first", body: "{}" }]),
      queue.publish(topic, [{ id: "too large", body: body.repeat(11) }]),
      queue.publish(topic, [{ id: "last", body: "{}" }]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await drain(queue)).toEqual(["first", "last"]);
  });

  it("gives the space of acknowledged messages back", async () => {
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

  it("hands out no further message once 32 MiB are in hand, however many were asked for", async () => {
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

  it("forgets the ids of messages whose deduplication window is over", async () => {
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

describe("sqlite queue: opening", () => {
  it("refuses a path that cannot be opened, naming it", async () => {
    const path = join(temporaryDirectory(), "missing", "queue.sqlite");
    await expect(openSqliteQueue({ path })).rejects.toMatchObject({
      code: "WHENCE_ERR_QUEUE_UNAVAILABLE",
      message: expect.stringContaining(path),
    });
  });

  it("refuses a file that somebody else has open", async () => {
    const path = join(temporaryDirectory(), "queue.sqlite");
    await open(path);
    await expect(openSqliteQueue({ path })).rejects.toMatchObject({ code: "WHENCE_ERR_QUEUE_UNAVAILABLE" });
  });
});
