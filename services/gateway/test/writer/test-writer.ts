import type { EventStore, PreparedEvents, Queue, StoredEvent } from "@whence/storage";
import { Registry } from "prom-client";
import type { Logger } from "../../src/writer/logger.ts";
import { type BatchOutcome, writerMetrics } from "../../src/writer/metrics.ts";
import { startWriter, type Writer } from "../../src/writer/writer.ts";

/** A writer with its metrics. */
export interface TestWriter extends Writer {
  stored(): Promise<number>;
  batches(outcome: BatchOutcome): Promise<number>;
  forwarded(): Promise<number>;
  dropped(reason: string): Promise<number>;
  inHand(): Promise<number>;
  differing(): Promise<number>;
  inserts(): Promise<number>;
}

const silent: Logger = { warn: () => undefined, error: () => undefined };

export function startTestWriter({
  queue,
  events,
  logger = silent,
}: {
  queue: Queue;
  events: EventStore;
  logger?: Logger;
}): TestWriter {
  const registry = new Registry();
  const writer = startWriter({ queue, events, logger, metrics: writerMetrics(registry) });
  const figure = async (name: string, labels: Record<string, string> = {}): Promise<number> => {
    const metric = await registry.getSingleMetric(name)?.get();
    const wanted = Object.entries(labels);
    const found = metric?.values.filter((value) =>
      wanted.every(([label, text]) => Object.entries(value.labels).some(([l, t]) => l === label && t === text)),
    );
    return found?.reduce((sum, { value }) => sum + value, 0) ?? 0;
  };
  return {
    stop: (graceMs) => writer.stop(graceMs),
    stored: () => figure("whence_writer_events_stored_total"),
    batches: (outcome) => figure("whence_writer_batches_total", { outcome }),
    forwarded: () => figure("whence_writer_failures_forwarded_total"),
    dropped: (reason) => figure("whence_client_dropped_events_total", { reason }),
    inHand: () => figure("whence_writer_in_hand"),
    differing: () => figure("whence_writer_differing_events_total"),
    inserts: async () => {
      const page = await registry.metrics();
      return Number(/^whence_writer_insert_seconds_count (\d+)$/m.exec(page)?.[1]);
    },
  };
}

/** A store that records its inserts. */
export interface ObservedStore extends EventStore {
  readonly refusals: number;
  readonly calls: number;
}

/** Returns the real store, which refuses some inserts. */
export function storeThatRefuses(
  store: EventStore,
  refuses: (events: readonly StoredEvent[]) => boolean,
): ObservedStore {
  const seen = { refusals: 0, calls: 0 };
  const ask = async (events: readonly StoredEvent[], take: () => Promise<void>): Promise<void> => {
    seen.calls += 1;
    if (!refuses(events)) return take();
    seen.refusals += 1;
    throw new Error("the store takes no such thing");
  };
  const eventsOf = new WeakMap<PreparedEvents, readonly StoredEvent[]>();
  return {
    ...store,
    prepare(events) {
      const prepared = store.prepare(events);
      eventsOf.set(prepared, events);
      return prepared;
    },
    insertPrepared: (parts) =>
      ask(
        parts.flatMap((part) => eventsOf.get(part) ?? []),
        () => store.insertPrepared(parts),
      ),
    get refusals() {
      return seen.refusals;
    },
    get calls() {
      return seen.calls;
    },
  };
}

/** Returns the queue with another `receive`. */
export function queueThatHandsOut(queue: Queue, receive: Queue["receive"]): Queue {
  return {
    receive,
    publish: (topic, messages) => queue.publish(topic, messages),
    deadLetters: (topic, max) => queue.deadLetters(topic, max),
    redrive: (topic, letters) => queue.redrive(topic, letters),
    discard: (topic, letters) => queue.discard(topic, letters),
    depth: (topic) => queue.depth(topic),
    check: () => queue.check(),
    close: () => queue.close(),
  };
}
