import { setTimeout as delay } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type NatsCluster, startNatsServer } from "../../../../test/servers/nats-server.ts";
import type { Delivery, Queue, Topic } from "../../src/index.ts";
import { openJetStreamQueue } from "../../src/queue/jetstream-queue.ts";
import { followModel, queueStepsAtOneTime } from "../queue-model.ts";

const topic: Topic = { name: "jobs", visibilityTimeoutMs: 60_000, maxAttempts: 20, deduplicationWindowMs: 120_000 };
const brief: Topic = { ...topic, name: "brief", visibilityTimeoutMs: 1_000 };
const unavailable = { code: "WHENCE_ERR_QUEUE_UNAVAILABLE" };
/** What the port calls seconds. */
const refusedWithinMs = 8_000;

const shared = await startNatsServer();
afterAll(() => shared.stop());
let names = 0;

function freshName(): string {
  names += 1;
  return `test-${names}`;
}

async function open(
  servers: string,
  options: { name?: string; replicas?: number; maxBytes?: number } = {},
): Promise<Queue> {
  const queue = await openJetStreamQueue({ servers, replicas: 1, ...options });
  onTestFinished(() => queue.close());
  return queue;
}

async function ownServer(nodes: 1 | 3): Promise<NatsCluster> {
  const server = await startNatsServer({ nodes });
  onTestFinished(() => server.stop());
  return server;
}

/** A connection of somebody else, to the first of the servers. */
async function rawConnection(servers: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(servers.split(",")[0] ?? "");
  const connection = await connect({ servers: host, user: username, pass: password });
  onTestFinished(() => connection.close());
  return connection;
}

/** Publishes until `stop`, each message again under its id until it is acknowledged, as the gateway's clients do. */
async function publishUntil(queue: Queue, stop: AbortSignal, publisher: string): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let index = 0; !stop.aborted; index++) {
    const id = `${publisher}-${index}`;
    for (let done = false; !done; ) {
      try {
        await queue.publish(topic, [{ id, body: `body of ${id}` }]);
        done = true;
      } catch (error) {
        expect(error).toMatchObject(unavailable);
        await delay(50);
      }
    }
    acknowledged.push(id);
  }
  return acknowledged;
}

/** Takes and acknowledges all there is, and until nothing has come for a second. */
async function drain(queue: Queue): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const deliveries = await queue.receive(topic, { max: 100, waitMs: 1_000 });
    if (deliveries.length === 0) return found;
    found.push(...deliveries.map(({ id }) => id));
    await Promise.all(deliveries.map((delivery) => delivery.ack()));
  }
}

/** Resolves when it no longer rejects. */
async function eventually<Value>(ask: () => Promise<Value>): Promise<Value> {
  const deadline = performance.now() + 300_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(100);
    }
  }
}

describe("jetstream queue: servers that die", () => {
  it("has every acknowledged message once when its server is killed and comes back during publishing", async () => {
    const server = await ownServer(1);
    const queue = await open(server.urls);
    const stop = new AbortController();
    const publishers = Array.from({ length: 8 }, (_, index) => publishUntil(queue, stop.signal, `p${index}`));
    await delay(300);
    await server.kill(0, "SIGKILL");
    await delay(1_000);
    await server.restart(0);
    await delay(500);
    stop.abort();
    const acknowledged = (await Promise.all(publishers)).flat().sort();
    expect(acknowledged.length).toBeGreaterThan(100);
    expect((await drain(queue)).sort()).toEqual(acknowledged);
  });

  it("continues without a restart when the leader of three nodes dies, and neither loses nor duplicates a message", async () => {
    const server = await ownServer(3);
    const queue = await open(server.urls, { replicas: 3 });
    await queue.publish(topic, [{ id: "first", body: "" }]);
    const manager = await jetstreamManager(await rawConnection(server.urls));
    const { cluster } = await manager.streams.info("whence_jobs");
    const leader = Number(cluster?.leader?.replace("node-", ""));
    const stop = new AbortController();
    const publishers = Array.from({ length: 4 }, (_, index) => publishUntil(queue, stop.signal, `p${index}`));
    await delay(300);
    await server.kill(leader, "SIGKILL");
    await eventually(() => queue.publish(topic, [{ id: "without", body: "" }]));
    await server.restart(leader);
    await eventually(() => queue.publish(topic, [{ id: "with", body: "" }]));
    stop.abort();
    const acknowledged = ["first", "without", "with", ...(await Promise.all(publishers)).flat()];
    const found = await eventually(() => drain(queue));
    expect(acknowledged.filter((id) => !found.includes(id))).toEqual([]);
    expect(found.length).toBe(new Set(found).size);
  });

  it("rejects within seconds while all servers are gone, and recovers with them", async () => {
    const server = await ownServer(1);
    const queue = await open(server.urls);
    await queue.publish(topic, [{ id: "held", body: "" }]);
    const [held] = await queue.receive(topic, { max: 1, waitMs: 5_000 });
    const waiting = queue.receive(topic, { max: 1, waitMs: 60_000 });
    await server.kill(0, "SIGKILL");
    const from = performance.now();
    const outcomes = await Promise.allSettled([
      waiting,
      queue.publish(topic, [{ id: "a", body: "" }]),
      queue.receive(topic, { max: 1, waitMs: 0 }),
      queue.deadLetters(topic, 1),
      queue.depth(topic),
      queue.check(),
      held?.ack(),
    ]);
    expect(performance.now() - from).toBeLessThan(refusedWithinMs);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: unavailable });
    await server.restart(0);
    await eventually(() => queue.check());
    await queue.publish(topic, [{ id: "b", body: "" }]);
    expect(await drain(queue)).toContain("b");
  });

  it("waits through a short outage, and then takes what was published in the meantime", async () => {
    const server = await ownServer(1);
    const queue = await open(server.urls);
    await queue.check();
    const waiting = queue.receive(topic, { max: 1, waitMs: 60_000 });
    await delay(100);
    await server.kill(0, "SIGKILL");
    const published = queue.publish(topic, [{ id: "a", body: "" }]);
    await server.restart(0);
    await published;
    expect((await waiting).map(({ id }) => id)).toEqual(["a"]);
  });

  it("stops when it is closed while its server is gone", async () => {
    const server = await ownServer(1);
    const queue = await open(server.urls);
    const waiting = queue.receive(topic, { max: 1, waitMs: 60_000 });
    await delay(100);
    await server.kill(0, "SIGKILL");
    const from = performance.now();
    await queue.close();
    expect(performance.now() - from).toBeLessThan(refusedWithinMs);
    await Promise.allSettled([waiting]);
  });

  it("recreates a consumer and a stream that the server has lost", async () => {
    const name = freshName();
    const queue = await open(shared.urls, { name });
    await queue.publish(topic, [{ id: "a", body: "" }]);
    const manager = await jetstreamManager(await rawConnection(shared.urls));
    await manager.consumers.delete(`${name}_jobs`, "receivers");
    expect(await drain(queue)).toEqual(["a"]);
    const waiting = queue.receive(topic, { max: 1, waitMs: 30_000 });
    await delay(100);
    await manager.streams.delete(`${name}_jobs`);
    await queue.publish(topic, [{ id: "b", body: "" }]);
    expect((await waiting).map(({ id }) => id)).toEqual(["b"]);
  });
});

describe("jetstream queue: concurrent use", () => {
  it("gives no message to two receivers in several processes at once, and none twice", async () => {
    const name = freshName();
    const queues = await Promise.all([1, 2, 3].map(() => open(shared.urls, { name })));
    const [first] = queues;
    const ids = Array.from({ length: 600 }, (_, index) => `m${index}`);
    await first?.publish(
      topic,
      ids.map((id) => ({ id, body: "" })),
    );
    const inHand = new Set<string>();
    const done: string[] = [];
    const work = async (delivery: Delivery): Promise<void> => {
      expect(inHand.has(delivery.id)).toBe(false);
      inHand.add(delivery.id);
      await delay(1);
      inHand.delete(delivery.id);
      await delivery.ack();
      done.push(delivery.id);
    };
    await Promise.all(
      queues.map(async (queue) => {
        while (done.length < ids.length) {
          const deliveries = await queue.receive(topic, { max: 7, waitMs: 100 });
          await Promise.all(deliveries.map(work));
        }
      }),
    );
    expect(done.sort()).toEqual([...ids].sort());
  });

  it("is opened and used for the first time by several processes at once", async () => {
    const name = freshName();
    const queues = await Promise.all(Array.from({ length: 8 }, () => open(shared.urls, { name })));
    await Promise.all(queues.map((queue, index) => queue.publish(topic, [{ id: `m${index}`, body: "" }])));
    const [first] = queues;
    expect(await first?.depth(topic)).toMatchObject({ pending: 8 });
  });

  it("has each message or rejected it, when it is closed during work", async () => {
    const name = freshName();
    const queue = await open(shared.urls, { name });
    await queue.check();
    const receiving = queue.receive(topic, { max: 1_000, waitMs: 30_000 });
    const ids = Array.from({ length: 200 }, (_, index) => `m${index}`);
    const publishing = ids.map((id) => queue.publish(topic, [{ id, body: "" }]));
    await queue.close();
    const refused = ids.map((id) => queue.publish(topic, [{ id: `late-${id}`, body: "" }]));
    const outcomes = await Promise.allSettled(publishing);
    const acknowledged = ids.filter((_, index) => outcomes[index]?.status === "fulfilled");
    for (const outcome of await Promise.allSettled(refused)) expect(outcome).toMatchObject({ reason: unavailable });
    const handed = (await receiving).map(({ id }) => id);
    const again = await open(shared.urls, { name });
    expect([...handed, ...(await drain(again))].sort()).toEqual(acknowledged.sort());
  });

  it("does what a plain list would do, whatever is done to it", async () => {
    const queue = await open(shared.urls, { name: freshName() });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(queueStepsAtOneTime, async (steps) => {
        run += 1;
        const fresh = { ...topic, name: `model-${run}`, maxAttempts: 3 };
        const { alive, dead } = await followModel({ queue, topic: fresh, time: { now: 0 }, delayMs: 60_000 }, steps);
        const depth = await queue.depth(fresh);
        expect([depth.pending + depth.held, depth.dead]).toEqual([alive, dead]);
      }),
      { numRuns: 25 },
    );
  });
});

describe("jetstream queue: limits", () => {
  const body = "x".repeat(100_000);

  it("rejects a publish beyond maxBytes, keeps what it has, and accepts more once drained or resized", async () => {
    const name = freshName();
    const queue = await open(shared.urls, { name, maxBytes: 1_048_576 });
    let kept = 0;
    const fill = async (to: Queue): Promise<void> => {
      for (; ; kept++) await to.publish(topic, [{ id: `m${kept}`, body }]);
    };
    await expect(fill(queue)).rejects.toMatchObject(unavailable);
    expect(kept).toBe(10);
    const wider = await open(shared.urls, { name, maxBytes: 2 * 1_048_576 });
    await expect(fill(wider)).rejects.toMatchObject(unavailable);
    expect(kept).toBe(20);
    // What is published to work it off is taken all the same.
    const told = { ...topic, name: "told", takenWhenFull: true } as const;
    await wider.publish(told, [{ id: "told", body: body.repeat(10) }]);
    expect((await wider.depth(told)).pending).toBe(1);
    expect(await drain(wider)).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`));
    await wider.publish(topic, [{ id: "more", body }]);
    expect(await drain(wider)).toEqual(["more"]);
  });

  it("accepts what fits into max_payload, and rejects a larger message and its batch, with both sizes", async () => {
    const queue = await open(shared.urls, { name: freshName() });
    const bytesMax = 1_048_576 - 8_192;
    await queue.publish(topic, [{ id: "i".repeat(100), body: "x".repeat(bytesMax) }]);
    const beyond = [
      { id: "small", body: "" },
      { id: "large", body: `é${"x".repeat(bytesMax - 1)}` },
    ];
    await expect(queue.publish(topic, beyond)).rejects.toMatchObject({
      code: "WHENCE_ERR_MESSAGE_TOO_LARGE",
      message: expect.stringMatching(`large .*${bytesMax + 1} .*${bytesMax}:`),
    });
    const [delivery] = await queue.receive(topic, { max: 10, waitMs: 5_000 });
    expect(delivery?.body.length).toBe(bytesMax);
    await delivery?.bury("reason ".repeat(10_000));
    const [letter] = await queue.deadLetters(topic, 1);
    expect(letter?.body.length).toBe(bytesMax);
    expect(await queue.depth(topic)).toMatchObject({ pending: 0, held: 0, dead: 1 });
  });

  it("delivers at most 32 MiB at once, even when more is requested", async () => {
    const queue = await open(shared.urls, { name: freshName() });
    const large = "x".repeat(1_000_000);
    for (let index = 0; index < 40; index++) await queue.publish(topic, [{ id: `m${index}`, body: large }]);
    while ((await queue.depth(topic)).held < 40) {
      const deliveries = await queue.receive(topic, { max: 100, waitMs: 5_000 });
      expect(deliveries.length).toBeGreaterThan(0);
      expect(deliveries.length).toBeLessThanOrEqual(33);
    }
  });
});

describe("jetstream queue: late acknowledgments at the server", () => {
  it("would count the first receiver's as the second's, so a receiver sends none once its hold is over", async () => {
    const name = freshName();
    const queue = await open(shared.urls, { name });
    await queue.publish(brief, [{ id: "a", body: "" }]);
    const connection = await rawConnection(shared.urls);
    const inbox = connection.subscribe("late");
    const asked = JSON.stringify({ batch: 1, no_wait: true });
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${name}_brief.receivers`, asked, { reply: "late" });
    const late = await inbox[Symbol.asyncIterator]().next();
    const [second] = await queue.receive(brief, { max: 1, waitMs: 5_000 });
    expect(second).toMatchObject({ id: "a", attempt: 2 });
    await connection.request(late.value?.reply ?? "", "+ACK");
    expect(await queue.depth(brief)).toMatchObject({ pending: 0, held: 0 });
  });

  it("isn't sent by a delivery in the last tenth of its hold, which then expires", async () => {
    const queue = await open(shared.urls, { name: freshName() });
    await queue.publish(brief, [{ id: "a", body: "" }]);
    const [delivery] = await queue.receive(brief, { max: 1, waitMs: 5_000 });
    await delay(0.95 * brief.visibilityTimeoutMs);
    await delivery?.ack();
    const { pending, held } = await queue.depth(brief);
    expect(pending + held).toBe(1);
    const [again] = await queue.receive(brief, { max: 1, waitMs: 5_000 });
    expect(again).toMatchObject({ id: "a", attempt: 2 });
  });
});

describe("jetstream queue: opening", () => {
  it("rejects servers that don't respond, invalid addresses, and a wrong password, without revealing it", async () => {
    const wrong = shared.urls.replace(/:[^:@]+@/, ":pw-that-is-wrong@");
    for (const servers of ["nats://127.0.0.1:1", "nats://user:pw-that-is-wrong@[", wrong]) {
      const opening = openJetStreamQueue({ servers, replicas: 1 });
      await expect(opening).rejects.toMatchObject(unavailable);
      await expect(opening).rejects.toSatisfy(
        (error: Error) => !JSON.stringify([error.message, error]).includes("wrong"),
      );
    }
  });

  it("opens when its servers take longer to answer than an operation may", async () => {
    const server = await ownServer(1);
    await server.kill(0, "SIGSTOP");
    const opening = Promise.allSettled([open(server.urls)]);
    await delay(refusedWithinMs);
    await server.kill(0, "SIGCONT");
    expect(await opening).toMatchObject([{ status: "fulfilled" }]);
  });

  it("opens when only one of its servers is up, and rejects a publish when it can't keep the requested replicas", async () => {
    const queue = await open(`nats://127.0.0.1:1,${shared.urls}`, { name: freshName() });
    await queue.publish(topic, [{ id: "a", body: "" }]);
    const three = await open(shared.urls, { name: freshName(), replicas: 3 });
    await expect(three.publish(topic, [{ id: "a", body: "" }])).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining("replicas"),
    });
  });
});
