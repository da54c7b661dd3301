import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
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

/** What is received too often is buried, and comes back on request. */
export function describeQueueDeadLetter(name: string, makePlace: () => QueuePlace): void {
  const opened = () => openedQueue(makePlace());

  describe(`${name}: dead letters`, () => {
    it("hands a message out as often as allowed, and buries it when the last hold runs out", async () => {
      const { queue, pass } = await opened();
      await queue.publish(topic, messages("a"));
      for (let attempt = 1; attempt <= topic.maxAttempts; attempt++) {
        expect(await take(queue, 1)).toMatchObject([{ id: "a", attempt }]);
        expect(await queue.deadLetters(topic, 10)).toEqual([]);
        await pass(topic.visibilityTimeoutMs);
      }
      await queue.publish(topic, messages("next"));
      expect(ids(await take(queue, 1))).toEqual(["next"]);
      const [letter] = await queue.deadLetters(topic, 10);
      expect(letter).toMatchObject({ id: "a", body: "body of a", attempts: topic.maxAttempts });
      expect(letter?.reason).toContain("not acknowledged");
    });

    it("buries, with its reason, a message retried on its last attempt, and not on the one before", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a"));
      for (let attempt = 1; attempt < patient.maxAttempts; attempt++) {
        await (await takeOne(queue, patient)).retry("not yet", 0);
        const { pending, held, dead } = await queue.depth(patient);
        expect([pending + held, dead]).toEqual([1, 0]);
      }
      await (await takeOne(queue, patient)).retry("the store refuses it", 0);
      expect(await peek(queue, patient)).toEqual([]);
      expect(await queue.deadLetters(patient, 10)).toMatchObject([{ id: "a", reason: "the store refuses it" }]);
    });

    it("counts the attempts of a process that died with the message", async () => {
      const { queue, pass, reopen } = await opened();
      const once = { ...topic, maxAttempts: 1 };
      await queue.publish(once, messages("poison"));
      await take(queue, 1, once);
      const again = await reopen();
      await pass(once.visibilityTimeoutMs);
      expect(await peek(again, once)).toEqual([]);
      expect(await again.deadLetters(once, 10)).toMatchObject([{ id: "poison", attempts: 1 }]);
    });

    it("keeps buried messages, the newest first, of its topic alone", async () => {
      const { queue, now, pass } = await opened();
      await queue.publish(patient, messages("a", "b"));
      const before = now();
      for (const delivery of await take(queue, 2, patient)) {
        await delivery.bury(`${delivery.id} is malformed`);
        await pass(1);
      }
      const letters = await queue.deadLetters(patient, 10);
      expect(letters).toMatchObject([
        { id: "b", body: "body of b", attempts: 1, reason: "b is malformed" },
        { id: "a", body: "body of a", attempts: 1, reason: "a is malformed" },
      ]);
      for (const { buriedAt } of letters) {
        expect(buriedAt).toBe(new Date(buriedAt).toISOString());
        expect(Date.parse(buriedAt)).toBeGreaterThanOrEqual(before);
        expect(Date.parse(buriedAt)).toBeLessThanOrEqual(now());
      }
      expect(ids(await queue.deadLetters(patient, 1))).toEqual(["b"]);
      expect(await queue.deadLetters(other, 10)).toEqual([]);
    });

    it("keeps them across a restart", async () => {
      const { queue, reopen } = await opened();
      await queue.publish(patient, messages("a"));
      await (await takeOne(queue, patient)).bury("no use");
      expect(ids(await (await reopen()).deadLetters(patient, 10))).toEqual(["a"]);
    });

    it("keeps a body of 900 kB whole, and a non-ASCII reason of several lines", async () => {
      const { queue } = await opened();
      const body = "é".repeat(450_000);
      await queue.publish(patient, [{ id: "a", body }]);
      const reason = `line 1\r\n"line" 2: 日本語\n`;
      await (await takeOne(queue, patient)).bury(reason + "\u2028".repeat(100_000));
      const [letter] = await queue.deadLetters(patient, 10);
      expect(letter?.body === body).toBe(true);
      expect(letter?.reason.startsWith(reason)).toBe(true);
      expect(await queue.redrive(patient, [letter?.letter ?? ""])).toBe(1);
      expect((await takeOne(queue, patient)).body === body).toBe(true);
    });

    it("counts what waits, what is held and what is dead, and says since when the oldest is there", async () => {
      const { queue, now, pass } = await opened();
      expect(await queue.depth(patient)).toEqual(empty);
      const before = now();
      await queue.publish(patient, messages("a", "b", "c", "d"));
      const after = now();
      await pass(10);
      const [first] = await take(queue, 2, patient);
      await first?.bury("no use");
      const { oldestAt, ...counts } = await queue.depth(patient);
      expect(counts).toEqual({ pending: 2, held: 1, dead: 1 });
      expect(oldestAt).toBe(new Date(oldestAt ?? "").toISOString());
      expect(Date.parse(oldestAt ?? "")).toBeGreaterThanOrEqual(before);
      expect(Date.parse(oldestAt ?? "")).toBeLessThanOrEqual(after);
    });
  });

  describe(`${name}: dead letters come back`, () => {
    it("redrives the named ones, once each, with their attempts reset", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a", "b", "c"));
      for (const delivery of await take(queue, 3, patient)) await delivery.bury("the store was wrong");
      const letters = await queue.deadLetters(patient, 10);
      const [c = "", b = "", a = ""] = letters.map(({ letter }) => letter);
      expect(await queue.redrive(patient, [a, c, a, "999999", "none", ""])).toBe(2);
      expect(await queue.redrive(patient, [a, c])).toBe(0);
      expect(await queue.deadLetters(patient, 10)).toMatchObject([{ letter: b, id: "b" }]);
      const back = await take(queue, 2, patient);
      expect(back.map(({ id, body, attempt }) => [id, body, attempt]).sort()).toEqual([
        ["a", "body of a", 1],
        ["c", "body of c", 1],
      ]);
      await Promise.all(back.map((delivery) => delivery.ack()));
      expect(await queue.depth(patient)).toEqual({ ...empty, dead: 1 });
    });

    it("buries a redriven message again, and redrives it again", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a"));
      for (const reason of ["first", "second", "third"]) {
        await (await takeOne(queue, patient)).bury(reason);
        const [letter] = await queue.deadLetters(patient, 10);
        expect(letter).toMatchObject({ id: "a", attempts: 1, reason });
        expect(await queue.redrive(patient, [letter?.letter ?? ""])).toBe(1);
      }
      expect(await take(queue, 1, patient)).toMatchObject([{ id: "a", attempt: 1 }]);
      expect(await queue.deadLetters(patient, 10)).toEqual([]);
    });

    it("wakes who waits", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a"));
      await (await takeOne(queue, patient)).bury("no use");
      const [letter] = await queue.deadLetters(patient, 1);
      const waiting = queue.receive(patient, { max: 10, waitMs: 30_000 });
      await turn();
      await queue.redrive(patient, [letter?.letter ?? ""]);
      expect(ids(await waiting)).toEqual(["a"]);
    });

    it("discards those that are named, for good", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a", "b"));
      for (const delivery of await take(queue, 2, patient)) await delivery.bury("no use");
      const [b, a] = await queue.deadLetters(patient, 10);
      expect(await queue.discard(patient, [a?.letter ?? "", "999999", "none"])).toBe(1);
      expect(await queue.discard(patient, [a?.letter ?? ""])).toBe(0);
      expect(await queue.redrive(patient, [a?.letter ?? ""])).toBe(0);
      expect(await queue.deadLetters(patient, 10)).toEqual([b]);
      expect(await peek(queue, patient)).toEqual([]);
    });

    it("finds no letter in another topic", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages("a"));
      await (await takeOne(queue, patient)).bury("no use");
      const [letter] = await queue.deadLetters(patient, 1);
      expect(await queue.redrive(other, [letter?.letter ?? ""])).toBe(0);
      expect(await queue.discard(other, [letter?.letter ?? ""])).toBe(0);
      expect(await queue.deadLetters(patient, 1)).toEqual([letter]);
    });

    it("lists the newest of 100 after those in the middle are gone", async () => {
      const { queue } = await opened();
      await queue.publish(patient, messages(...Array.from({ length: 100 }, (_, index) => `m${index}`)));
      for (const delivery of await take(queue, 100, patient)) await delivery.bury("no use");
      const all = await queue.deadLetters(patient, 1_000);
      expect(ids(all)).toEqual(Array.from({ length: 100 }, (_, index) => `m${99 - index}`));
      const middle = all.slice(5, 95).map(({ letter }) => letter);
      expect(await queue.discard(patient, middle)).toBe(90);
      expect(ids(await queue.deadLetters(patient, 7))).toEqual(["m99", "m98", "m97", "m96", "m95", "m4", "m3"]);
    });
  });
}
