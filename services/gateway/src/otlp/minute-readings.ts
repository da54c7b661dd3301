import { minuteMs } from "@whence/protocol";
import type { KeptReading } from "../telemetry/batch-message.ts";
import { MinuteCounts } from "./minute-counts.ts";
import { otlpLimits } from "./otlp-limits.ts";
import type { Answered, ProcessReading } from "./process-reading.ts";
import { RememberedProcesses } from "./remembered-processes.ts";

/** A count since the start of a process is compared with the one before only if that isn't older. */
const previousWithinMs = 2.5 * minuteMs;

/** A reading to keep, and what tells its process apart. */
export interface ReadingOfProcess {
  readonly process: string;
  readonly reading: KeptReading;
}

interface Remembered {
  /** The minute of the last reading that was kept. */
  readonly minute: number;
  readonly atMs: number;
  /** What was kept of the last reading, which may come again when its request wasn't taken. */
  readonly kept: KeptReading | undefined;
  readonly answered: Answered | null;
  /** Answered since the last reading that was kept. */
  readonly requests: number;
  readonly failed: number;
}

/** The last export of a process, and what was remembered before it. */
interface Last {
  readonly now: Remembered;
  readonly before: Remembered | undefined;
}

/**
 * Makes one reading a minute of what processes export, however often they do. Counts since the start of a process
 * become counts since the reading before, which this gateway must have seen: where several gateways share the exports of
 * a process, some requests aren't counted, of those that failed as many as of the others.
 */
export class MinuteReadings {
  readonly #last = new RememberedProcesses<Last>();
  readonly #counts: MinuteCounts;

  constructor(clock: () => number) {
    this.#counts = new MinuteCounts(clock);
  }

  /**
   * Returns the reading to keep, the same one for the same time; undefined when one of the same minute was kept, and
   * `surplus` beyond the organization's readings of a minute. `process` tells its processes apart.
   */
  keep(organizationId: string, process: string, reading: ProcessReading): KeptReading | "surplus" | undefined {
    const { atMs, answered, ...gauges } = reading;
    const previous = this.#last.get(organizationId, process)?.now;
    if (previous && atMs <= previous.atMs) return atMs === previous.atMs ? previous.kept : undefined;
    const added = answeredSince(previous, reading);
    const requests = (previous?.requests ?? 0) + added.requests;
    const failed = (previous?.failed ?? 0) + added.failed;
    const minute = Math.floor(atMs / minuteMs);
    const isKept = minute !== previous?.minute;
    if (isKept && !this.#counts.add(organizationId, otlpLimits.otlpReadingsPerMinuteMax)) return "surplus";
    const waiting = isKept ? { requests: 0, failed: 0 } : { requests, failed };
    const kept = isKept
      ? { ...gauges, at: new Date(atMs).toISOString(), requests, failed_requests: failed }
      : undefined;
    const now = { minute, atMs, kept, answered, ...waiting };
    this.#last.set(organizationId, process, { now, before: previous });
    return kept;
  }

  /**
   * Forgets the last reading that was to be kept, but couldn't be, so that the next one of its minute is kept instead,
   * with the requests of both.
   */
  giveBack(organizationId: string, { process, reading }: ReadingOfProcess): void {
    const last = this.#last.get(organizationId, process);
    if (last?.now.kept !== reading) return;
    this.#counts.subtract(organizationId, 1);
    if (last.before) this.#last.set(organizationId, process, { now: last.before, before: undefined });
    else this.#last.delete(organizationId, process);
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
