import { minuteMs } from "@whence/protocol";
import { LRUCache } from "lru-cache";
import type { KeptReading } from "../telemetry/batch-message.ts";
import type { Answered, ProcessReading } from "./process-reading.ts";

/** Processes whose last reading is remembered; of more, the one that was seen longest ago is forgotten. */
const processesMax = 20_000;
/** A count since the start of a process is compared with the one before only if that isn't older. */
const previousWithinMs = 2.5 * minuteMs;

interface Remembered {
  /** The minute of the last reading that was kept. */
  readonly minute: number;
  readonly atMs: number;
  readonly answered: Answered | null;
  /** Answered since the last reading that was kept. */
  readonly requests: number;
  readonly failed: number;
}

/**
 * Makes one reading a minute of what processes export, however often they do. Counts since the start of a process
 * become counts since the reading before, which this gateway must have seen: where several gateways share the exports of
 * a process, some requests aren't counted, of those that failed as many as of the others.
 */
export class MinuteReadings {
  readonly #last = new LRUCache<string, Remembered>({ max: processesMax });

  /** Returns the reading to keep; undefined when one of the same minute was kept. `process` tells processes apart. */
  keep(process: string, reading: ProcessReading): KeptReading | undefined {
    const { atMs, answered, ...gauges } = reading;
    const previous = this.#last.get(process);
    if (previous && atMs <= previous.atMs) return undefined;
    const added = answeredSince(previous, reading);
    const requests = (previous?.requests ?? 0) + added.requests;
    const failed = (previous?.failed ?? 0) + added.failed;
    const minute = Math.floor(atMs / minuteMs);
    const isKept = minute !== previous?.minute;
    const waiting = isKept ? { requests: 0, failed: 0 } : { requests, failed };
    this.#last.set(process, { minute, atMs, answered, ...waiting });
    if (!isKept) return undefined;
    return { ...gauges, at: new Date(atMs).toISOString(), requests, failed_requests: failed };
  }
}

function answeredSince(
  previous: Remembered | undefined,
  { answered, atMs }: ProcessReading,
): Pick<Answered, "requests" | "failed"> {
  const none = { requests: 0, failed: 0 };
  if (!answered) return none;
  if (answered.since === "export") return answered;
  const before = previous?.answered;
  if (!previous || before?.since !== "start" || atMs - previous.atMs > previousWithinMs) return none;
  // A process that started again counts from 0.
  if (answered.requests < before.requests || answered.failed < before.failed) return none;
  return { requests: answered.requests - before.requests, failed: answered.failed - before.failed };
}
