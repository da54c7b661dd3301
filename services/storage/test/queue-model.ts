import fc from "fast-check";
import type { Topic } from "../src/index.ts";

/** One thing done to a queue. `pick` chooses among the deliveries handed out so far, late ones too. */
export type QueueStep =
  | { readonly kind: "publish"; readonly ids: readonly string[] }
  | { readonly kind: "receive"; readonly max: number }
  | { readonly kind: "settle"; readonly how: "ack" | "retry" | "bury" | "extend"; readonly pick: number }
  | { readonly kind: "advance"; readonly ms: number };

export const queueSteps: fc.Arbitrary<QueueStep[]> = fc.array(
  fc.oneof(
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
    fc.record({ kind: fc.constant("advance" as const), ms: fc.constantFrom(1, 250, 999, 1_000, 10_000) }),
  ),
  { minLength: 1, maxLength: 40 },
);

interface Message {
  readonly id: string;
  attempts: number;
  /** Null when anybody may take it. */
  due: number | null;
  held: boolean;
}

export interface Handed {
  readonly message: Message;
  readonly attempt: number;
}

/** What a queue must do, in the fewest words: a list that is walked. */
export class QueueModel {
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

  depth(): { pending: number; held: number; dead: number } {
    const held = this.#messages.filter((message) => message.held).length;
    return { pending: this.#messages.length - held, held, dead: this.dead.length };
  }

  #bury(message: Message): void {
    this.#remove(message);
    this.dead.push(message.id);
  }

  #remove(message: Message): void {
    this.#messages = this.#messages.filter((other) => other !== message);
  }
}
