import { openSqliteThread } from "../sqlite-thread.ts";
import type { CallableThread } from "../threads/callable-thread.ts";
import { Arrivals } from "./arrivals.ts";
import type { DeadLetter, Delivery, NewMessage, Queue, QueueDepth, ReceiveOptions, Topic } from "./queue.ts";
import { queueUnavailable } from "./queue-errors.ts";
import type { QueueOperation, QueueOutcome, Received } from "./queue-operation.ts";
import type { QueueFile } from "./sqlite-queue-worker.ts";

/** 8 GiB: hours of a busy fleet's telemetry, and a disk that survives them. */
const defaultMaxBytes = 8 * 1_073_741_824;

export interface SqliteQueueOptions {
  /** The file; made when it is missing. One process at a time. */
  readonly path: string;
  /** The most bytes in the file; a publish beyond it is rejected. 8 GiB by default. */
  readonly maxBytes?: number;
  readonly clock?: () => number;
}

/**
 * The queue in one SQLite file, written by a thread of its own: all that is asked while a transaction runs shares the
 * next one, and so its fsync. Rejects with `WHENCE_ERR_QUEUE_UNAVAILABLE` when the file cannot be opened.
 */
export async function openSqliteQueue({
  path,
  maxBytes = defaultMaxBytes,
  clock = Date.now,
}: SqliteQueueOptions): Promise<Queue> {
  const program = new URL("./sqlite-queue-worker.ts", import.meta.url);
  const file: QueueFile = { path, maxBytes };
  try {
    return new SqliteQueue(path, clock, await openSqliteThread(program, file));
  } catch (error) {
    throw queueUnavailable(path, error);
  }
}

type QueueThread = CallableThread<readonly QueueOperation[], readonly QueueOutcome[]>;

interface Asked {
  readonly operation: QueueOperation;
  readonly resolve: (outcome: QueueOutcome) => void;
  readonly reject: (reason: Error) => void;
}

class SqliteQueue implements Queue {
  readonly #path: string;
  readonly #clock: () => number;
  readonly #thread: QueueThread;
  readonly #arrivals = new Arrivals();
  #asked: Asked[] = [];
  #committing: Promise<void> | null = null;
  #closed: Promise<void> | null = null;

  constructor(path: string, clock: () => number, thread: QueueThread) {
    this.#path = path;
    this.#clock = clock;
    this.#thread = thread;
  }

  async publish(topic: Topic, messages: readonly NewMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const now = this.#clock();
    const rememberUntil = now + topic.deduplicationWindowMs;
    const { name, takenWhenFull = false } = topic;
    await this.#ask({ kind: "publish", topic: name, messages, now, rememberUntil, takenWhenFull });
    this.#arrivals.announce(topic.name);
  }

  async receive(topic: Topic, { max, waitMs, signal }: ReceiveOptions): Promise<readonly Delivery[]> {
    const deadline = performance.now() + waitMs;
    while (!signal?.aborted) {
      const seen = this.#arrivals.count(topic.name);
      const { messages, nextDue } = await this.#take(topic, max);
      if (this.#closed !== null) return [];
      const remainingMs = deadline - performance.now();
      if (messages.length > 0 || remainingMs <= 0) return messages.map((message) => this.#deliver(topic, message));
      const untilDueMs = nextDue === null ? remainingMs : Math.max(1, nextDue - this.#clock());
      await this.#arrivals.wait(topic.name, seen, Math.min(remainingMs, untilDueMs), signal);
      if (this.#closed !== null) return [];
    }
    return [];
  }

  async deadLetters(topic: Topic, max: number): Promise<readonly DeadLetter[]> {
    const { name, maxAttempts } = topic;
    const outcome = await this.#ask({ kind: "dead-letters", topic: name, max, maxAttempts, now: this.#clock() });
    return outcome.kind === "dead-letters" ? outcome.letters : [];
  }

  async redrive(topic: Topic, letters: readonly string[]): Promise<number> {
    const outcome = await this.#ask({ kind: "redrive", topic: topic.name, letters, now: this.#clock() });
    this.#arrivals.announce(topic.name);
    return outcome.kind === "counted" ? outcome.count : 0;
  }

  async discard(topic: Topic, letters: readonly string[]): Promise<number> {
    const outcome = await this.#ask({ kind: "discard", topic: topic.name, letters });
    return outcome.kind === "counted" ? outcome.count : 0;
  }

  async check(): Promise<void> {
    await this.#ask({ kind: "check" });
  }

  async depth(topic: Topic): Promise<QueueDepth> {
    const { name, maxAttempts } = topic;
    const outcome = await this.#ask({ kind: "depth", topic: name, maxAttempts, now: this.#clock() });
    return outcome.kind === "depth" ? outcome.depth : { pending: 0, held: 0, dead: 0, oldestAt: null };
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#arrivals.announceAll();
    while (this.#committing !== null) await this.#committing;
    await this.#thread.close();
  }

  async #take(topic: Topic, max: number): Promise<{ messages: readonly Received[]; nextDue: number | null }> {
    const now = this.#clock();
    const { name, maxAttempts, visibilityTimeoutMs } = topic;
    const holdUntil = now + visibilityTimeoutMs;
    const outcome = await this.#ask({ kind: "receive", topic: name, max, maxAttempts, now, holdUntil });
    return outcome.kind === "received" ? outcome : { messages: [], nextDue: null };
  }

  #deliver(topic: Topic, { seq, id, body, attempt }: Received): Delivery {
    const receipt = { seq, attempt };
    const settle = async (operation: QueueOperation): Promise<void> => {
      await this.#ask(operation);
    };
    return {
      id,
      body,
      attempt,
      ack: () => settle({ kind: "ack", receipt }),
      retry: async (reason, delayMs) => {
        const now = this.#clock();
        await settle({ kind: "retry", receipt, reason, now, due: now + delayMs, maxAttempts: topic.maxAttempts });
        // Waiting receivers have set their timers for a later time.
        this.#arrivals.announce(topic.name);
      },
      bury: (reason) => settle({ kind: "bury", receipt, reason, now: this.#clock() }),
      extend: () => settle({ kind: "extend", receipt, holdUntil: this.#clock() + topic.visibilityTimeoutMs }),
    };
  }

  async #ask(operation: QueueOperation): Promise<QueueOutcome> {
    if (this.#closed !== null) throw queueUnavailable(this.#path, new Error("it is closed"));
    const { promise, resolve, reject } = Promise.withResolvers<QueueOutcome>();
    this.#asked.push({ operation, resolve, reject });
    this.#committing ??= this.#commitAll();
    const outcome = await promise;
    if (outcome.kind === "failed") throw queueUnavailable(this.#path, new Error(outcome.message));
    return outcome;
  }

  /** Group commit: operations that arrive while one group is being written form the next group. */
  async #commitAll(): Promise<void> {
    // Callers of the same turn of the event loop belong together.
    await Promise.resolve();
    while (this.#asked.length > 0) {
      const group = this.#asked;
      this.#asked = [];
      try {
        const outcomes = await this.#thread.call(group.map(({ operation }) => operation));
        for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] ?? unanswered);
      } catch (error) {
        for (const { reject } of group) reject(queueUnavailable(this.#path, error));
      }
    }
    this.#committing = null;
  }
}

const unanswered: QueueOutcome = { kind: "failed", message: "the operation was not answered" };
