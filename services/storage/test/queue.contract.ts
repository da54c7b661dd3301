import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Delivery, Queue, QueueDepth, Topic } from "../src/index.ts";

/** A place where a queue can be opened again and again, as a process that restarts would. */
export interface QueuePlace {
  open(): Promise<Queue>;
  /** What the queue's clock says. */
  now(): number;
  /** Lets at least so much time pass for the queue, and at most a tenth of a second more. */
  pass(ms: number): Promise<void>;
}

/** Times long enough to be told from what a busy machine adds, and short enough to wait for. */
const topic: Topic = { name: "jobs", visibilityTimeoutMs: 1_200, maxAttempts: 3, deduplicationWindowMs: 2_000 };
/** For tests that don't wait for time to pass: no hold runs out. */
const patient: Topic = { name: "patient", visibilityTimeoutMs: 60_000, maxAttempts: 3, deduplicationWindowMs: 60_000 };
const other: Topic = { ...patient, name: "other" };
const empty: QueueDepth = { pending: 0, held: 0, dead: 0, oldestAt: null };

/** What every adapter of {@link Queue} does. */
export function describeQueue(name: string, makePlace: () => QueuePlace): void {
  const opened = async (): Promise<QueuePlace & { queue: Queue; reopen: () => Promise<Queue> }> => {
    const place = makePlace();
    const open = async (): Promise<Queue> => {
      const queue = await place.open();
      onTestFinished(() => queue.close());
      return queue;
    };
    const queue = await open();
    const reopen = async (): Promise<Queue> => {
      await queue.close();
      return open();
    };
    return { ...place, queue, reopen };
  };

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

    it("carries a body of 900 kB, and text that is no ASCII, unchanged", async () => {
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

    it("keeps the whole body of 900 kB, and a reason of several lines that is no ASCII", async () => {
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

function messages(...names: string[]): { id: string; body: string }[] {
  return names.map((id) => ({ id, body: `body of ${id}` }));
}

function ids(named: readonly { id: string }[]): string[] {
  return named.map(({ id }) => id);
}

/** What is there now, or nothing: for what must not come. */
function peek(queue: Queue, from: Topic = topic): Promise<readonly Delivery[]> {
  return queue.receive(from, { max: 10, waitMs: 0 });
}

/** The next `count`: a broker may show a moment later what it has acknowledged. */
async function take(queue: Queue, count: number, from: Topic = topic): Promise<readonly Delivery[]> {
  const taken: Delivery[] = [];
  while (taken.length < count) {
    const more = await queue.receive(from, { max: count - taken.length, waitMs: 5_000 });
    if (more.length === 0) throw new Error(`only ${taken.length} of ${count} came`);
    taken.push(...more);
  }
  return taken;
}

async function takeOne(queue: Queue, from: Topic = topic): Promise<Delivery> {
  const [delivery] = await take(queue, 1, from);
  if (!delivery) throw new Error("nothing to take");
  return delivery;
}
