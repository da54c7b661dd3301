import { setTimeout as delay } from "node:timers/promises";
import {
  type Delivery,
  type EventStore,
  failuresTopic,
  type Queue,
  type StoredEvent,
  telemetryTopic,
} from "@whence/storage";
import { batchMessageSchema } from "../telemetry/batch-message.ts";
import { failuresOf } from "./failures-of.ts";
import { toStoredEvents } from "./to-stored-event.ts";

const receiveWaitMs = 10_000;
/** Between two inserts: each makes a part that ClickHouse has to merge, so few large ones are better than many. */
const insertIntervalMs = 100;
/** A group ends with the first of these. A batch unpacks to at most 8 MiB, so memory stays bounded. */
const messagesPerReceive = 8;
const groupRowsMax = 5_000;
const groupBytesMax = 16 * 1_048_576;
const retryDelayMs = { first: 250, max: 30_000 } as const;
/** After so many refusals of a group by a store that answers, its messages are tried one by one. */
const groupAttemptsMax = 3;

/** The least that is needed of a logger. */
export interface WriterLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface WriterOptions {
  readonly queue: Queue;
  readonly events: EventStore;
  readonly logger: WriterLogger;
}

export interface Writer {
  /** Takes no new batch and finishes the group in hand; one that cannot be stored stays in the queue. */
  stop(): Promise<void>;
}

/** A batch in the writer's hands. */
interface Batch {
  readonly delivery: Delivery;
  readonly scopeId: string;
  readonly events: readonly StoredEvent[];
}

/**
 * Stores accepted batches in groups and hands their failures on. A batch is acknowledged only after both, so a crash in
 * between does both again, which changes nothing: the store knows event ids, the queue message ids. While the store is
 * away the group waits in hand; a batch that the store refuses alone is buried, its neighbours are not.
 */
export function startWriter(options: WriterOptions): Writer {
  const stopping = new AbortController();
  const running = run(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function run(options: WriterOptions, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const group = await nextGroup(options, stopping);
      if (group.length > 0) await storeGroup(options, group, stopping);
      await pause(insertIntervalMs, stopping);
    } catch (error) {
      options.logger.error({ err: error }, "the writer could not reach its queue; it tries again");
      await pause(retryDelayMs.first, stopping);
    }
  }
}

/** Waits for a batch and takes what lies ready with it. */
async function nextGroup({ queue, logger }: WriterOptions, stopping: AbortSignal): Promise<Batch[]> {
  const group: Batch[] = [];
  let [rows, bytes, waitMs] = [0, 0, receiveWaitMs];
  while (rows < groupRowsMax && bytes < groupBytesMax) {
    const deliveries = await queue.receive(telemetryTopic, { max: messagesPerReceive, waitMs, signal: stopping });
    for (const delivery of deliveries) {
      const batch = await read(delivery, logger);
      if (!batch) continue;
      group.push(batch);
      rows += batch.events.length;
      bytes += delivery.body.length;
    }
    if (deliveries.length < messagesPerReceive) break;
    waitMs = 0;
  }
  return group;
}

/** The batch that a message holds; a message that holds none is buried. */
async function read(delivery: Delivery, logger: WriterLogger): Promise<Batch | undefined> {
  const message = batchMessageSchema.safeParse(parseJson(delivery.body));
  if (message.success) return { delivery, scopeId: message.data.scope_id, events: toStoredEvents(message.data) };
  logger.error({ id: delivery.id }, "a message is no batch; it is a dead letter now");
  await delivery.bury(message.error.message);
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a group, however long the store is away. Ends without having stored it only when the process stops. */
async function storeGroup(options: WriterOptions, group: readonly Batch[], stopping: AbortSignal): Promise<void> {
  let wait: number = retryDelayMs.first;
  for (let attempt = 1; ; ) {
    try {
      await options.events.insert(group.flatMap(({ events }) => events));
      break;
    } catch (error) {
      options.logger.error({ err: error, attempt, batches: group.length }, "a group was not stored; it is tried again");
      if (await answers(options.events)) attempt += 1;
      if (attempt > groupAttemptsMax) return isolate(options, group, stopping, error);
      if (stopping.aborted) return;
      await pause(wait, stopping);
      wait = Math.min(2 * wait, retryDelayMs.max);
      await Promise.all(group.map(({ delivery }) => delivery.extend()));
    }
  }
  await finish(options, group);
}

/** One by one, so that the batch that the store refuses is found. */
async function isolate(
  options: WriterOptions,
  group: readonly Batch[],
  stopping: AbortSignal,
  error: unknown,
): Promise<void> {
  const [only, ...others] = group;
  if (only && others.length === 0) {
    options.logger.error({ err: error, id: only.delivery.id }, "the store refuses a batch; it is a dead letter now");
    return only.delivery.bury(error instanceof Error ? error.message : String(error));
  }
  for (const batch of group) await storeGroup(options, [batch], stopping);
}

/** Whether the store is there at all: one that is away says nothing about a batch. */
async function answers(events: EventStore): Promise<boolean> {
  try {
    await events.forScope("").event("00000000-0000-7000-8000-000000000000");
    return true;
  } catch {
    return false;
  }
}

/** What is stored is told to the analyzer, then done. The message keeps its id, so telling twice is telling once. */
async function finish({ queue }: WriterOptions, group: readonly Batch[]): Promise<void> {
  const messages = group.flatMap(({ delivery, scopeId, events }) => {
    const failures = failuresOf(events);
    const body = JSON.stringify({ scope_id: scopeId, failures });
    return failures.length > 0 ? [{ id: delivery.id, body }] : [];
  });
  if (messages.length > 0) await queue.publish(failuresTopic, messages);
  await Promise.all(group.map(({ delivery }) => delivery.ack()));
}

/** Rejects only when the signal fires, which the caller's loop then sees. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
