import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ids, messages, openedQueue, patient, peek, type QueuePlace, take, takeOne } from "./opened-queue.ts";

/** A receiver waits for what comes, and ends with its signal or the queue. */
export function describeQueueWaiting(name: string, makePlace: () => QueuePlace): void {
  const opened = () => openedQueue(makePlace());

  describe(`${name}: waiting`, () => {
    const longMs = 30_000;

    it("wakes when something is published", async () => {
      const { queue } = await opened();
      const waiting = queue.receive(patient, { max: 10, waitMs: longMs });
      await turn();
      await queue.publish(patient, messages("a"));
      expect(ids(await waiting)).toEqual(["a"]);
    });

    it("wakes when a delayed message becomes due", async () => {
      const { queue, pass } = await opened();
      await queue.publish(patient, messages("a"));
      await (await takeOne(queue, patient)).retry("soon", 30);
      const waiting = queue.receive(patient, { max: 1, waitMs: longMs });
      await pass(30);
      expect(ids(await waiting)).toEqual(["a"]);
    });

    it("wakes when a message is given back while another receiver waits", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a"));
      const delivery = await takeOne(queue, patient);
      const waiting = queue.receive(patient, { max: 1, waitMs: longMs });
      await turn();
      await delivery.retry("not for me", 0);
      expect(ids(await waiting)).toEqual(["a"]);
    });

    it("ends empty when its time is over, and when its signal fires, before or after the call", async () => {
      const { queue } = await opened();
      expect(await queue.receive(patient, { max: 1, waitMs: 20 })).toEqual([]);
      expect(await queue.receive(patient, { max: 1, waitMs: longMs, signal: AbortSignal.abort() })).toEqual([]);
      const controller = new AbortController();
      const waiting = queue.receive(patient, { max: 1, waitMs: longMs, signal: controller.signal });
      await turn();
      controller.abort();
      expect(await waiting).toEqual([]);
    });

    it("keeps for the next receiver what comes after a signal fired", async () => {
      const { queue } = await opened();
      for (let round = 0; round < 20; round++) {
        const controller = new AbortController();
        const waiting = queue.receive(patient, { max: 10, waitMs: longMs, signal: controller.signal });
        await turn();
        const published = queue.publish(patient, messages(`m${round}`));
        controller.abort();
        await published;
        const early = await waiting;
        const late = early.length > 0 ? [] : await queue.receive(patient, { max: 10, waitMs: longMs });
        expect(ids([...early, ...late])).toEqual([`m${round}`]);
        await Promise.all([...early, ...late].map((delivery) => delivery.ack()));
      }
    });

    it("ends empty when the queue is closed", async () => {
      const { queue } = await opened();
      const waiting = queue.receive(patient, { max: 1, waitMs: longMs });
      await turn();
      await queue.close();
      expect(await waiting).toEqual([]);
    });
  });

  describe(`${name}: check and close`, () => {
    const unavailable = { code: "WHENCE_ERR_QUEUE_UNAVAILABLE" };

    it("answers a check while it is open", async () => {
      const { queue } = await opened();
      await queue.check();
      await queue.publish(patient, messages("a"));
      await queue.check();
    });

    it("refuses everything once it is closed, and closing again is the same", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a"));
      const delivery = await takeOne(queue, patient);
      await Promise.all([queue.close(), queue.close()]);
      await expect(queue.publish(patient, messages("b"))).rejects.toMatchObject(unavailable);
      await expect(peek(queue, patient)).rejects.toMatchObject(unavailable);
      await expect(delivery.ack()).rejects.toMatchObject(unavailable);
      await expect(queue.deadLetters(patient, 1)).rejects.toMatchObject(unavailable);
      await expect(queue.redrive(patient, [])).rejects.toMatchObject(unavailable);
      await expect(queue.discard(patient, [])).rejects.toMatchObject(unavailable);
      await expect(queue.depth(patient)).rejects.toMatchObject(unavailable);
      await expect(queue.check()).rejects.toMatchObject(unavailable);
    });

    it("finishes what was under way", async () => {
      const { queue, reopen } = await opened();
      const published = queue.publish(patient, messages("a"));
      const again = await reopen();
      await published;
      expect(ids(await take(again, 1, patient))).toEqual(["a"]);
    });
  });
}
