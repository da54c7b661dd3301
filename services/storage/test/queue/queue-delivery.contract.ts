import { describe, expect, it } from "vitest";
import type { Delivery } from "../../src/index.ts";
import {
  empty,
  ids,
  messages,
  openedQueue,
  other,
  patient,
  peek,
  type QueuePlace,
  take,
  takeOne,
  topic,
} from "./opened-queue.ts";

/** What is published comes, once, in order, and again when it is held too long. */
export function describeQueueDelivery(name: string, makePlace: () => QueuePlace): void {
  const opened = () => openedQueue(makePlace());

  describe(`${name}: publish and receive`, () => {
    it("hands out what was published, the oldest first, at most as many as asked for", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a", "b"));
      await queue.publish(patient, messages("c"));
      expect(ids(await take(queue, 2, patient))).toEqual(["a", "b"]);
      const [last] = await take(queue, 1, patient);
      expect(last).toMatchObject({ id: "c", body: "body of c", attempt: 1 });
    });

    it("keeps topics apart", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a"));
      expect(await peek(queue, other)).toEqual([]);
      await queue.publish(other, messages("a"));
      expect(ids(await take(queue, 1, other))).toEqual(["a"]);
      expect(ids(await take(queue, 1, patient))).toEqual(["a"]);
    });

    it("delivers a body of 900 kB, and non-ASCII text, unchanged", async () => {
      const { queue } = await opened();
      const large = 'é😀x\n\u0000"'.repeat(90_000);
      expect(Buffer.byteLength(large)).toBe(900_000);
      await queue.publish(patient, [
        { id: "large", body: large },
        { id: "empty", body: "" },
      ]);
      const [first, second] = await take(queue, 2, patient);
      expect(first?.body === large).toBe(true);
      expect(second?.body).toBe("");
    });

    it("publishes nothing, successfully, when there are no messages", async () => {
      const { queue } = await opened();
      await queue.publish(patient, []);
      expect(await queue.depth(patient)).toEqual(empty);
    });

    it("hands each of 1,280 messages from 64 publishers to exactly one of 4 receivers", async () => {
      const { queue } = await opened();
      const publishers = Array.from({ length: 64 }, async (_, publisher) => {
        for (let index = 0; index < 20; index++) await queue.publish(patient, messages(`${publisher}-${index}`));
      });
      const seen: string[] = [];
      const receivers = Array.from({ length: 4 }, async () => {
        while (seen.length < 1_280) {
          const deliveries = await queue.receive(patient, { max: 50, waitMs: 100 });
          seen.push(...ids(deliveries));
          await Promise.all(deliveries.map((delivery) => delivery.ack()));
        }
      });
      await Promise.all([...publishers, ...receivers]);
      expect(seen.length).toBe(1_280);
      expect(new Set(seen).size).toBe(1_280);
      expect(await queue.depth(patient)).toEqual(empty);
    });
  });

  describe(`${name}: deduplication`, () => {
    it("drops an id within the window, even after the message is done", async () => {
      const { queue, pass } = await opened();
      await queue.publish(topic, messages("a", "a"));
      await queue.publish(topic, messages("a", "b"));
      const deliveries = await take(queue, 2);
      expect(ids(deliveries)).toEqual(["a", "b"]);
      await Promise.all(deliveries.map((delivery) => delivery.ack()));
      await pass(topic.deduplicationWindowMs / 2);
      await queue.publish(topic, messages("a"));
      expect(await peek(queue)).toEqual([]);
    });

    it("takes an id again once the window is over", async () => {
      const { queue, pass } = await opened();
      await queue.publish(topic, messages("a"));
      await (await takeOne(queue)).ack();
      await pass(topic.deduplicationWindowMs);
      // A server forgets ids by a timer of its own, which may be late.
      const takenAgain = async (): Promise<string[]> => {
        await queue.publish(topic, messages("a"));
        return ids(await take(queue, 1));
      };
      await expect.poll(takenAgain).toEqual(["a"]);
    });

    it("remembers ids across a restart", async () => {
      const { queue, reopen } = await opened();
      await queue.publish(patient, messages("a"));
      await (await takeOne(queue, patient)).ack();
      const again = await reopen();
      await again.publish(patient, messages("a"));
      expect(await peek(again, patient)).toEqual([]);
    });
  });

  describe(`${name}: redelivery`, () => {
    it("holds a message until its visibility timeout, and then hands it out again", async () => {
      const { queue, pass } = await opened();
      await queue.publish(topic, messages("a", "b"));
      expect(await take(queue, 1)).toMatchObject([{ id: "a", attempt: 1 }]);
      await pass(topic.visibilityTimeoutMs / 2);
      expect(ids(await take(queue, 1))).toEqual(["b"]);
      expect(await peek(queue)).toEqual([]);
      await pass(topic.visibilityTimeoutMs / 2);
      expect(await take(queue, 1)).toMatchObject([{ id: "a", attempt: 2 }]);
    });

    it("never brings an acknowledged message again", async () => {
      const { queue, pass } = await opened();
      await queue.publish(topic, messages("a"));
      await (await takeOne(queue)).ack();
      await pass(topic.visibilityTimeoutMs);
      expect(await peek(queue)).toEqual([]);
      expect(await queue.depth(topic)).toEqual(empty);
    });

    it("brings a retried message after its delay, and not before, however long it would have been held", async () => {
      const { queue, pass } = await opened();
      await queue.publish(topic, messages("a"));
      await (await takeOne(queue)).retry("the store is down", 2 * topic.visibilityTimeoutMs);
      await pass(1.2 * topic.visibilityTimeoutMs);
      expect(await peek(queue)).toEqual([]);
      await pass(0.8 * topic.visibilityTimeoutMs);
      expect(await take(queue, 1)).toMatchObject([{ id: "a", attempt: 2 }]);
    });

    it("holds an extended message for another timeout, counted from the call", async () => {
      const { queue, pass } = await opened();
      await queue.publish(topic, messages("a"));
      const delivery = await takeOne(queue);
      await pass(0.6 * topic.visibilityTimeoutMs);
      await delivery.extend();
      await pass(0.6 * topic.visibilityTimeoutMs);
      expect(await peek(queue)).toEqual([]);
      await delivery.ack();
      await pass(0.6 * topic.visibilityTimeoutMs);
      expect(await peek(queue)).toEqual([]);
      expect(await queue.depth(topic)).toEqual(empty);
    });

    it("brings an extended message again when that runs out too", async () => {
      const { queue, pass } = await opened();
      await queue.publish(topic, messages("a"));
      await (await takeOne(queue)).extend();
      await pass(topic.visibilityTimeoutMs);
      expect(await take(queue, 1)).toMatchObject([{ id: "a", attempt: 2 }]);
    });

    it.each([
      ["ack", (delivery: Delivery) => delivery.ack()],
      ["retry", (delivery: Delivery) => delivery.retry("late", 60_000)],
      ["bury", (delivery: Delivery) => delivery.bury("late")],
      ["extend", (delivery: Delivery) => delivery.extend()],
    ])("lets a late %s change nothing for the current holder", async (_, settle) => {
      const { queue, pass } = await opened();
      await queue.publish(topic, messages("a"));
      const late = await takeOne(queue);
      await pass(topic.visibilityTimeoutMs);
      await takeOne(queue);
      await pass(topic.visibilityTimeoutMs / 2);
      await settle(late);
      await pass(topic.visibilityTimeoutMs / 2);
      const third = await queue.receive(topic, { max: 1, waitMs: 0.4 * topic.visibilityTimeoutMs });
      expect(third).toMatchObject([{ id: "a", attempt: 3 }]);
      expect(await queue.deadLetters(topic, 10)).toEqual([]);
    });

    it("brings what another life held after its timeout, and keeps its attempts and its delays", async () => {
      const { queue, pass, reopen } = await opened();
      await queue.publish(topic, messages("held", "delayed"));
      const [, delayed] = await take(queue, 2);
      await delayed?.retry("later", 3 * topic.visibilityTimeoutMs);
      const again = await reopen();
      await pass(topic.visibilityTimeoutMs);
      const [held] = await take(again, 1);
      expect(held).toMatchObject({ id: "held", attempt: 2 });
      await held?.ack();
      await pass(2 * topic.visibilityTimeoutMs);
      expect(await take(again, 1)).toMatchObject([{ id: "delayed", attempt: 2 }]);
    });
  });
}
