import { setTimeout as delay } from "node:timers/promises";
import { type EventStore, type Queue, telemetryTopic } from "@whence/storage";
import { BatchSource } from "./batch-source.ts";
import { GroupStore } from "./group-store.ts";
import type { HeldBatch } from "./held-batch.ts";
import type { Logger } from "./logger.ts";
import type { WriterMetrics } from "./metrics.ts";
import { pause } from "./pause.ts";

/**
 * Between the starts of two inserts that are not full: an idle writer stores at once, a busy one in few large parts. A
 * call costs the embedded engine 14 ms, and a ClickHouse server a part to merge.
 */
const insertIntervalMs = 150;
const fullPauseMs = 10;
const stopGraceMs = 5_000;
/** A queue that does not answer must not keep a process from ending. */
const handBackMaxMs = 2_000;

export interface WriterOptions {
  readonly queue: Queue;
  readonly events: EventStore;
  readonly logger: Logger;
  readonly metrics: WriterMetrics;
}

export interface Writer {
  /**
   * Takes no more, stores what is in hand within `graceMs` (5 s by default), and hands the rest back, so that another
   * writer has it at once.
   */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Moves accepted batches from the queue into the event store, then publishes their failures to the analyzer, then
 * acknowledges. A batch stored twice counts once, so a crash in between loses nothing. While the store is down, the
 * batches in hand are held and the rest wait in the queue, so an outage uses up no attempts.
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
    // The new ones first: what could not be stored before must not keep them waiting.
    const group = [...gathered, ...(await storing)];
    storing = groups.store(group);
    // Nothing was taken because the hands are full: they are emptied by answers that only come between two turns.
    if (group.length === 0 && source.isFull()) await pause(fullPauseMs, signal);
    if (group.length > 0) mayBeStored = Promise.all([storing, pause(insertIntervalMs, signal)]);
  } while (!signal.aborted);
  await storing;
  await groups.settled();
}
