import { setTimeout as delay } from "node:timers/promises";
import { type EventStore, type Queue, telemetryTopic } from "@whence/storage";
import { BatchSource } from "./batch-source.ts";
import { GroupStore } from "./group-store.ts";
import type { HeldBatch } from "./held-batch.ts";
import type { Logger } from "./logger.ts";
import type { WriterMetrics } from "./metrics.ts";
import { pause } from "./pause.ts";

/**
 * The time between the starts of two inserts that aren't full: an idle writer stores at once, a busy one in few large
 * parts. A call costs the embedded engine 14 ms, and a ClickHouse server a part to merge.
 */
const insertIntervalMs = 150;
const fullPauseMs = 10;
const stopGraceMs = 5_000;
/** A queue that doesn't answer must not keep the process from exiting. */
const handBackMaxMs = 2_000;

export interface WriterOptions {
  readonly queue: Queue;
  readonly events: EventStore;
  readonly logger: Logger;
  readonly metrics: WriterMetrics;
}

export interface Writer {
  /**
   * Stops taking batches, stores those in progress within `graceMs` (5 s by default), and hands the rest back, so that
   * another writer gets them at once.
   */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Moves accepted batches from the queue to the event store, then publishes their failures to the analyzer, then
 * acknowledges. A batch stored twice counts once, so a crash in between loses nothing. While the store is down, the
 * batches in progress are held and the rest wait in the queue, so an outage uses up no attempts.
 */
export function startWriter({ queue, events, logger, metrics }: WriterOptions): Writer {
  const stopping = new AbortController();
  const { signal } = stopping;
  const source = new BatchSource({ queue, events, logger, metrics, signal });
  const groups = new GroupStore({ queue, events, logger, metrics, source, signal });
  const holding = setInterval(() => source.extendHolds(), telemetryTopic.visibilityTimeoutMs / 3);
  const running = run(source, groups, signal);
  return {
    async stop(graceMs = stopGraceMs) {
      stopping.abort();
      await Promise.race([running, delay(graceMs, undefined, { ref: false })]);
      await Promise.race([source.handBack(), delay(handBackMaxMs, undefined, { ref: false })]);
      clearInterval(holding);
    },
  };
}

/** Gathers the next group while one is being stored. */
async function run(source: BatchSource, groups: GroupStore, signal: AbortSignal): Promise<void> {
  let storing: Promise<readonly HeldBatch[]> = Promise.resolve([]);
  let mayBeStored: Promise<unknown> = storing;
  do {
    const gathered = await source.gather(mayBeStored);
    // The new ones first, so that batches which couldn't be stored before don't delay them.
    const group = [...gathered, ...(await storing)];
    storing = groups.store(group);
    // The writer is at its limit, and only answers that arrive between two turns make room.
    if (group.length === 0 && source.isFull()) await pause(fullPauseMs, signal);
    if (group.length > 0) mayBeStored = Promise.all([storing, pause(insertIntervalMs, signal)]);
  } while (!signal.aborted);
  await storing;
  await groups.settled();
}
