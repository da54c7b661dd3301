import { onTestFinished } from "vitest";
import type { Delivery, Queue, QueueDepth, Topic } from "../../src/index.ts";

/** A place where a queue can be opened again and again, as a process that restarts would. */
export interface QueuePlace {
  open(): Promise<Queue>;
  /** What the queue's clock says. */
  now(): number;
  /** Lets at least so much time pass for the queue, and at most a tenth of a second more. */
  pass(ms: number): Promise<void>;
}

/** Times long enough to be told from what a busy machine adds, and short enough to wait for. */
export const topic: Topic = { name: "jobs", visibilityTimeoutMs: 1_200, maxAttempts: 3, deduplicationWindowMs: 2_000 };
/** For tests that don't wait for time to pass: no hold runs out. */
export const patient: Topic = {
  name: "patient",
  visibilityTimeoutMs: 60_000,
  maxAttempts: 3,
  deduplicationWindowMs: 60_000,
};
export const other: Topic = { ...patient, name: "other" };
export const empty: QueueDepth = { pending: 0, held: 0, dead: 0, oldestAt: null };

/** A queue at a place, closed when the test ends. */
export interface OpenedQueue extends QueuePlace {
  readonly queue: Queue;
  /** Closes the queue, and opens it again at the same place. */
  reopen(): Promise<Queue>;
}

/** Opens a queue at a new place. */
export async function openedQueue(place: QueuePlace): Promise<OpenedQueue> {
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
}

export function messages(...names: string[]): { id: string; body: string }[] {
  return names.map((id) => ({ id, body: `body of ${id}` }));
}

export function ids(named: readonly { id: string }[]): string[] {
  return named.map(({ id }) => id);
}

/** What is there now, or nothing: for what must not come. */
export function peek(queue: Queue, from: Topic = topic): Promise<readonly Delivery[]> {
  return queue.receive(from, { max: 10, waitMs: 0 });
}

/** The next `count`: a broker may show a moment later what it has acknowledged. */
export async function take(queue: Queue, count: number, from: Topic = topic): Promise<readonly Delivery[]> {
  const taken: Delivery[] = [];
  while (taken.length < count) {
    const more = await queue.receive(from, { max: count - taken.length, waitMs: 5_000 });
    if (more.length === 0) throw new Error(`only ${taken.length} of ${count} came`);
    taken.push(...more);
  }
  return taken;
}

export async function takeOne(queue: Queue, from: Topic = topic): Promise<Delivery> {
  const [delivery] = await take(queue, 1, from);
  if (!delivery) throw new Error("nothing to take");
  return delivery;
}
