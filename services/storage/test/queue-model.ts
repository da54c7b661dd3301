import fc from "fast-check";
import { expect } from "vitest";
import type { Delivery, Queue, Topic } from "../src/index.ts";

/** One thing done to a queue. `pick` chooses among the deliveries handed out so far, late ones too. */
export type QueueStep =
  | { readonly kind: "publish"; readonly ids: readonly string[] }
  | { readonly kind: "receive"; readonly max: number }
  | { readonly kind: "settle"; readonly how: "ack" | "retry" | "bury" | "extend"; readonly pick: number }
  | { readonly kind: "advance"; readonly ms: number };

const timelessSteps = [
  fc.record({
    kind: fc.constant("publish" as const),
    ids: fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("receive" as const), max: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant("settle" as const),
    how: fc.constantFrom("ack" as const, "retry" as const, "bury" as const, "extend" as const),
    pick: fc.nat(20),
  }),
] as const;
const lengths = { minLength: 1, maxLength: 40 };

export const queueSteps: fc.Arbitrary<QueueStep[]> = fc.array(
  fc.oneof(
    ...timelessSteps,
    fc.record({ kind: fc.constant("advance" as const), ms: fc.constantFrom(1, 250, 999, 1_000, 10_000) }),
  ),
  lengths,
);

/** Steps during which no hold runs out: for a queue whose clock can't be moved. */
export const queueStepsAtOneTime: fc.Arbitrary<QueueStep[]> = fc.array(fc.oneof(...timelessSteps), lengths);

interface Message {
  readonly id: string;
  attempts: number;
  /** Null when anybody may take it. */
  due: number | null;
  held: boolean;
}

interface Handed {
  readonly message: Message;
  readonly attempt: number;
}

/** What a queue must do, in the fewest words: a list that is walked. */
class QueueModel {
  readonly #topic: Topic;
  readonly #seen = new Map<string, number>();
  #messages: Message[] = [];
  readonly dead: string[] = [];

  constructor(topic: Topic) {
    this.#topic = topic;
  }

  publish(ids: readonly string[], now: number): void {
    for (const id of ids) {
      if ((this.#seen.get(id) ?? 0) > now) continue;
      this.#seen.set(id, now + this.#topic.deduplicationWindowMs);
      this.#messages.push({ id, attempts: 0, due: null, held: false });
    }
  }

  receive(max: number, now: number): Handed[] {
    this.release(now);
    const free = this.#messages.filter(({ due }) => due === null).slice(0, max);
    return free.map((message) => {
      message.attempts += 1;
      message.due = now + this.#topic.visibilityTimeoutMs;
      message.held = true;
      return { message, attempt: message.attempts };
    });
  }

  settle({ message, attempt }: Handed, how: string, delayMs: number, now: number): void {
    if (!this.#messages.includes(message) || message.attempts !== attempt) return;
    if (how === "ack") this.#remove(message);
    else if (how === "bury" || (how === "retry" && attempt >= this.#topic.maxAttempts)) this.#bury(message);
    else {
      message.due = now + (how === "retry" ? delayMs : this.#topic.visibilityTimeoutMs);
      message.held = how === "extend";
    }
  }

  release(now: number): void {
    for (const message of this.#messages.filter(({ due }) => due !== null && due <= now)) {
      if (message.attempts >= this.#topic.maxAttempts) this.#bury(message);
      else {
        message.due = null;
        message.held = false;
      }
    }
  }

  counts(): { alive: number; held: number; dead: number } {
    const held = this.#messages.filter((message) => message.held).length;
    return { alive: this.#messages.length, held, dead: this.dead.length };
  }

  #bury(message: Message): void {
    this.#remove(message);
    this.dead.push(message.id);
  }

  #remove(message: Message): void {
    this.#messages = this.#messages.filter((other) => other !== message);
  }
}

/** The queue under test; `delayMs` is what a retry asks for. */
export interface Followed {
  readonly queue: Queue;
  readonly topic: Topic;
  readonly time: { now: number };
  readonly delayMs: number;
}

/** Does the steps to the queue and to the model, and expects the same of both; then gives what the model counts. */
export async function followModel(
  { queue, topic, time, delayMs }: Followed,
  steps: readonly QueueStep[],
): Promise<{ alive: number; held: number; dead: number }> {
  const model = new QueueModel(topic);
  const handed: { expected: Handed; delivery: Delivery }[] = [];
  for (const step of steps) {
    if (step.kind === "publish") {
      model.publish(step.ids, time.now);
      await queue.publish(
        topic,
        step.ids.map((id) => ({ id, body: `body of ${id}` })),
      );
    } else if (step.kind === "receive") {
      const expected = model.receive(step.max, time.now);
      const deliveries = await receive(queue, topic, step.max, expected.length);
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
      model.settle(chosen.expected, step.how, delayMs, time.now);
      if (step.how === "retry") await chosen.delivery.retry("again", delayMs);
      else if (step.how === "bury") await chosen.delivery.bury("never");
      else await chosen.delivery[step.how]();
    }
  }
  model.release(time.now);
  const letters = await queue.deadLetters(topic, 100);
  expect(letters.map(({ id }) => id).sort()).toEqual([...model.dead].sort());
  return model.counts();
}

/** Looks at least once; again while less has come than must, since a broker may show a message a moment late. */
async function receive(queue: Queue, topic: Topic, max: number, expected: number): Promise<readonly Delivery[]> {
  const received = [...(await queue.receive(topic, { max, waitMs: 0 }))];
  while (received.length < expected) {
    const more = await queue.receive(topic, { max: max - received.length, waitMs: 5_000 });
    if (more.length === 0) break;
    received.push(...more);
  }
  return received;
}
