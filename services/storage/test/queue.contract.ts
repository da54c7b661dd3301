import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Delivery, Queue, Topic } from "../src/index.ts";
import { type Handed, QueueModel, queueSteps } from "./queue-model.ts";

/** A place where a queue can be opened again and again, as a process that restarts would. */
export type QueuePlace = () => (clock: () => number) => Promise<Queue>;

const topic: Topic = { name: "jobs", visibilityTimeoutMs: 1_000, maxAttempts: 3, deduplicationWindowMs: 10_000 };
const other: Topic = { ...topic, name: "other" };
const startMs = Date.parse("2026-03-01T12:00:00.000Z");

/** What every adapter of {@link Queue} does. */
export function describeQueue(name: string, place: QueuePlace): void {
  const opened = async (): Promise<{ queue: Queue; time: { now: number }; reopen: () => Promise<Queue> }> => {
    const time = { now: startMs };
    const open = place();
    const queue = await open(() => time.now);
    onTestFinished(() => queue.close());
    const reopen = async (): Promise<Queue> => {
      await queue.close();
      const again = await open(() => time.now);
      onTestFinished(() => again.close());
      return again;
    };
    return { queue, time, reopen };
  };

  describe(`${name}: publish and receive`, () => {
    it("hands out what was published, the oldest first, at most as many as asked for", async () => {
      const { queue } = await opened();
      await queue.publish(topic, messages("a", "b"));
      await queue.publish(topic, messages("c"));
      expect(ids(await take(queue, 2))).toEqual(["a", "b"]);
      const [last] = await take(queue);
      expect(last).toMatchObject({ id: "c", body: "body of c", attempt: 1 });
    });

    it("keeps topics apart", async () => {
      const { queue } = await opened();
      await queue.publish(topic, messages("a"));
      expect(await queue.receive(other, { max: 10, waitMs: 0 })).toEqual([]);
      await queue.publish(other, messages("a"));
      expect(ids(await queue.receive(other, { max: 10, waitMs: 0 }))).toEqual(["a"]);
      expect(ids(await take(queue))).toEqual(["a"]);
    });

    it("carries a body of 8 MiB, and text that is no ASCII, unchanged", async () => {
      const { queue } = await opened();
      const large = 'é😀x\n\u0000"'.repeat(1_000_000).slice(0, 8 * 1_048_576);
      await queue.publish(topic, [
        { id: "large", body: large },
        { id: "empty", body: "" },
      ]);
      const [first, second] = await take(queue);
      expect(first?.body === large).toBe(true);
      expect(second?.body).toBe("");
    });

    it("publishes nothing, successfully, when there are no messages", async () => {
      const { queue } = await opened();
      await queue.publish(topic, []);
      expect(await queue.depth(topic)).toEqual({ pending: 0, held: 0, dead: 0 });
    });

    it("hands each of 1,280 messages from 64 publishers to exactly one of 4 receivers", async () => {
      const { queue } = await opened();
      const publishers = Array.from({ length: 64 }, async (_, publisher) => {
        for (let index = 0; index < 20; index++) await queue.publish(topic, messages(`${publisher}-${index}`));
      });
      const seen: string[] = [];
      const receivers = Array.from({ length: 4 }, async () => {
        while (seen.length < 1_280) {
          const deliveries = await queue.receive(topic, { max: 50, waitMs: 100 });
          seen.push(...ids(deliveries));
          await Promise.all(deliveries.map((delivery) => delivery.ack()));
        }
      });
      await Promise.all([...publishers, ...receivers]);
      expect(seen.length).toBe(1_280);
      expect(new Set(seen).size).toBe(1_280);
      expect(await queue.depth(topic)).toEqual({ pending: 0, held: 0, dead: 0 });
    });
  });

  describe(`${name}: deduplication`, () => {
    it("drops an id within the window, 1 ms before its end too, even after the message is done", async () => {
      const { queue, time } = await opened();
      await queue.publish(topic, messages("a", "a"));
      await queue.publish(topic, messages("a", "b"));
      const deliveries = await take(queue);
      expect(ids(deliveries)).toEqual(["a", "b"]);
      await Promise.all(deliveries.map((delivery) => delivery.ack()));
      time.now += topic.deduplicationWindowMs - 1;
      await queue.publish(topic, messages("a"));
      expect(await take(queue)).toEqual([]);
    });

    it("takes an id again once the window is over", async () => {
      const { queue, time } = await opened();
      await queue.publish(topic, messages("a"));
      await (await takeOne(queue)).ack();
      time.now += topic.deduplicationWindowMs;
      await queue.publish(topic, messages("a"));
      expect(ids(await take(queue))).toEqual(["a"]);
    });

    it("remembers ids across a restart", async () => {
      const { queue, reopen } = await opened();
      await queue.publish(topic, messages("a"));
      await (await takeOne(queue)).ack();
      const again = await reopen();
      await again.publish(topic, messages("a"));
      expect(await take(again)).toEqual([]);
    });
  });

  describe(`${name}: redelivery`, () => {
    it("holds a message until its visibility timeout, 1 ms before it too, and then hands it out again", async () => {
      const { queue, time } = await opened();
      await queue.publish(topic, messages("a", "b"));
      expect(await take(queue, 1)).toMatchObject([{ id: "a", attempt: 1 }]);
      time.now += topic.visibilityTimeoutMs - 1;
      expect(ids(await take(queue))).toEqual(["b"]);
      time.now += 1;
      expect(await take(queue)).toMatchObject([{ id: "a", attempt: 2 }]);
    });

    it("never brings an acknowledged message again", async () => {
      const { queue, time } = await opened();
      await queue.publish(topic, messages("a"));
      await (await takeOne(queue)).ack();
      time.now += 10 * topic.visibilityTimeoutMs;
      expect(await take(queue)).toEqual([]);
      expect(await queue.depth(topic)).toEqual({ pending: 0, held: 0, dead: 0 });
    });

    it("brings a retried message after its delay, not 1 ms earlier", async () => {
      const { queue, time } = await opened();
      await queue.publish(topic, messages("a"));
      await (await takeOne(queue)).retry("the store is down", 5_000);
      time.now += 4_999;
      expect(await take(queue)).toEqual([]);
      time.now += 1;
      expect(await take(queue)).toMatchObject([{ id: "a", attempt: 2 }]);
    });

    it("holds an extended message for another timeout, counted from the call", async () => {
      const { queue, time } = await opened();
      await queue.publish(topic, messages("a"));
      const delivery = await takeOne(queue);
      time.now += 900;
      await delivery.extend();
      time.now += topic.visibilityTimeoutMs - 1;
      expect(await take(queue)).toEqual([]);
      time.now += 1;
      expect(ids(await take(queue))).toEqual(["a"]);
    });

    it.each([
      ["ack", (delivery: Delivery) => delivery.ack()],
      ["retry", (delivery: Delivery) => delivery.retry("late", 60_000)],
      ["bury", (delivery: Delivery) => delivery.bury("late")],
      ["extend", (delivery: Delivery) => delivery.extend()],
    ])("lets a late %s change nothing for whoever has the message now", async (_, settle) => {
      const { queue, time } = await opened();
      await queue.publish(topic, messages("a"));
      const late = await takeOne(queue);
      time.now += topic.visibilityTimeoutMs;
      await takeOne(queue);
      time.now += 500;
      await settle(late);
      time.now += 500;
      expect(await take(queue)).toMatchObject([{ id: "a", attempt: 3 }]);
    });

    it("frees at once, after a restart, what another life held, and keeps its attempts and its delays", async () => {
      const { queue, time, reopen } = await opened();
      await queue.publish(topic, messages("held", "delayed"));
      const [, delayed] = await take(queue);
      await delayed?.retry("later", 5_000);
      const again = await reopen();
      expect(await take(again)).toMatchObject([{ id: "held", attempt: 2 }]);
      time.now += 5_000;
      expect(ids(await take(again))).toContain("delayed");
    });
  });

  describe(`${name}: dead letters`, () => {
    it("hands a message out as often as allowed, and buries it when the last hold runs out", async () => {
      const { queue, time } = await opened();
      await queue.publish(topic, messages("a"));
      for (let attempt = 1; attempt <= topic.maxAttempts; attempt++) {
        expect(await take(queue)).toMatchObject([{ id: "a", attempt }]);
        expect(await queue.deadLetters(topic, 10)).toEqual([]);
        time.now += topic.visibilityTimeoutMs;
      }
      expect(await take(queue)).toEqual([]);
      const [letter] = await queue.deadLetters(topic, 10);
      expect(letter).toMatchObject({ id: "a", body: "body of a", attempts: topic.maxAttempts });
      expect(letter?.reason).toContain("not acknowledged");
    });

    it("buries, with its reason, a message retried on its last attempt, and not on the one before", async () => {
      const { queue } = await opened();
      await queue.publish(topic, messages("a"));
      for (let attempt = 1; attempt < topic.maxAttempts; attempt++) {
        await (await takeOne(queue)).retry("not yet", 0);
        expect(await queue.depth(topic)).toEqual({ pending: 1, held: 0, dead: 0 });
      }
      await (await takeOne(queue)).retry("the store refuses it", 0);
      expect(await take(queue)).toEqual([]);
      expect(await queue.deadLetters(topic, 10)).toMatchObject([{ id: "a", reason: "the store refuses it" }]);
    });

    it("counts the attempts of a process that died with the message", async () => {
      const { queue, reopen } = await opened();
      const once = { ...topic, maxAttempts: 1 };
      await queue.publish(once, messages("poison"));
      await queue.receive(once, { max: 1, waitMs: 0 });
      const again = await reopen();
      expect(await again.receive(once, { max: 1, waitMs: 0 })).toEqual([]);
      expect(await again.deadLetters(once, 10)).toMatchObject([{ id: "poison", attempts: 1 }]);
    });

    it("keeps buried messages, the newest first, of its topic alone", async () => {
      const { queue, time } = await opened();
      await queue.publish(topic, messages("a", "b"));
      for (const delivery of await take(queue)) {
        await delivery.bury(`${delivery.id} is malformed`);
        time.now += 1;
      }
      expect(await queue.deadLetters(topic, 10)).toEqual([
        { id: "b", body: "body of b", attempts: 1, reason: "b is malformed", buriedAt: "2026-03-01T12:00:00.001Z" },
        { id: "a", body: "body of a", attempts: 1, reason: "a is malformed", buriedAt: "2026-03-01T12:00:00.000Z" },
      ]);
      expect(ids(await queue.deadLetters(topic, 1))).toEqual(["b"]);
      expect(await queue.deadLetters(other, 10)).toEqual([]);
    });

    it("counts what waits, what is held and what is dead", async () => {
      const { queue } = await opened();
      await queue.publish(topic, messages("a", "b", "c", "d"));
      const [first] = await take(queue, 2);
      await first?.bury("no use");
      expect(await queue.depth(topic)).toEqual({ pending: 2, held: 1, dead: 1 });
    });
  });

  describe(`${name}: any order of events`, () => {
    it("does what a plain list would do", async () => {
      const { queue, time } = await opened();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(queueSteps, async (steps) => {
          const fresh = { ...topic, name: `model-${run++}` };
          const model = new QueueModel(fresh);
          const handed: { expected: Handed; delivery: Delivery }[] = [];
          for (const step of steps) {
            if (step.kind === "publish") {
              model.publish(step.ids, time.now);
              await queue.publish(fresh, messages(...step.ids));
            } else if (step.kind === "receive") {
              const expected = model.receive(step.max, time.now);
              const deliveries = await queue.receive(fresh, { max: step.max, waitMs: 0 });
              expect(deliveries.map(({ id, attempt }) => [id, attempt])).toEqual(
                expected.map(({ message, attempt }) => [message.id, attempt]),
              );
              for (const [index, delivery] of deliveries.entries()) {
                const matching = expected[index];
                if (matching) handed.push({ expected: matching, delivery });
              }
            } else if (step.kind === "advance") {
              time.now += step.ms;
            } else {
              const [chosen] = handed.splice(step.pick % Math.max(1, handed.length), 1);
              if (!chosen) continue;
              const delayMs = 500;
              model.settle(chosen.expected, step.how, delayMs, time.now);
              if (step.how === "retry") await chosen.delivery.retry("again", delayMs);
              else if (step.how === "bury") await chosen.delivery.bury("never");
              else await chosen.delivery[step.how]();
            }
          }
          model.release(time.now);
          expect(await queue.depth(fresh)).toEqual(model.depth());
          expect(ids(await queue.deadLetters(fresh, 100)).sort()).toEqual([...model.dead].sort());
        }),
        { numRuns: 150 },
      );
    });
  });

  describe(`${name}: waiting`, () => {
    const longMs = 30_000;

    it("wakes when something is published", async () => {
      const { queue } = await opened();
      const waiting = queue.receive(topic, { max: 10, waitMs: longMs });
      await turn();
      await queue.publish(topic, messages("a"));
      expect(ids(await waiting)).toEqual(["a"]);
    });

    it("wakes when a delayed message becomes due", async () => {
      const queue = await place()(Date.now);
      onTestFinished(() => queue.close());
      await queue.publish(topic, messages("a"));
      await (await takeOne(queue)).retry("soon", 30);
      expect(ids(await queue.receive(topic, { max: 1, waitMs: longMs }))).toEqual(["a"]);
    });

    it("wakes when a message is given back while another receiver waits", async () => {
      const { queue } = await opened();
      await queue.publish(topic, messages("a"));
      const delivery = await takeOne(queue);
      const waiting = queue.receive(topic, { max: 1, waitMs: longMs });
      await turn();
      await delivery.retry("not for me", 0);
      expect(ids(await waiting)).toEqual(["a"]);
    });

    it("ends empty when its time is over, and when its signal fires, before or after the call", async () => {
      const { queue } = await opened();
      expect(await queue.receive(topic, { max: 1, waitMs: 20 })).toEqual([]);
      expect(await queue.receive(topic, { max: 1, waitMs: longMs, signal: AbortSignal.abort() })).toEqual([]);
      const controller = new AbortController();
      const waiting = queue.receive(topic, { max: 1, waitMs: longMs, signal: controller.signal });
      await turn();
      controller.abort();
      expect(await waiting).toEqual([]);
    });

    it("ends empty when the queue is closed", async () => {
      const { queue } = await opened();
      const waiting = queue.receive(topic, { max: 1, waitMs: longMs });
      await turn();
      await queue.close();
      expect(await waiting).toEqual([]);
    });
  });

  describe(`${name}: after close`, () => {
    it("refuses to publish and to receive, and closing again is the same", async () => {
      const { queue } = await opened();
      await queue.publish(topic, messages("a"));
      const delivery = await takeOne(queue);
      await Promise.all([queue.close(), queue.close()]);
      const unavailable = { code: "WHENCE_ERR_QUEUE_UNAVAILABLE" };
      await expect(queue.publish(topic, messages("b"))).rejects.toMatchObject(unavailable);
      await expect(queue.receive(topic, { max: 1, waitMs: 0 })).rejects.toMatchObject(unavailable);
      await expect(delivery.ack()).rejects.toMatchObject(unavailable);
    });

    it("finishes what was under way", async () => {
      const { queue, reopen } = await opened();
      const published = queue.publish(topic, messages("a"));
      const again = await reopen();
      await published;
      expect(ids(await take(again))).toEqual(["a"]);
    });
  });
}

function messages(...names: string[]): { id: string; body: string }[] {
  return names.map((id) => ({ id, body: `body of ${id}` }));
}

function ids(named: readonly { id: string }[]): string[] {
  return named.map(({ id }) => id);
}

function take(queue: Queue, max = 10): Promise<readonly Delivery[]> {
  return queue.receive(topic, { max, waitMs: 0 });
}

async function takeOne(queue: Queue): Promise<Delivery> {
  const [delivery] = await take(queue, 1);
  if (!delivery) throw new Error("nothing to take");
  return delivery;
}
