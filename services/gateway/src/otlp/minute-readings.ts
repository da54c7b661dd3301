import { minuteMs } from "@whence/protocol";
import type { KeptReading } from "../telemetry/batch-message.ts";
import { MinuteCounts } from "./minute-counts.ts";
import { otlpLimits } from "./otlp-limits.ts";
import type { ProcessReading } from "./process-reading.ts";
import { RememberedProcesses } from "./remembered-processes.ts";

/** A reading to keep, and what tells its process apart. */
export interface ReadingOfProcess {
  readonly process: string;
  readonly reading: KeptReading;
}

/** The last reading of a process that was kept. */
interface Last {
  readonly atMs: number;
  readonly kept: KeptReading;
}

/** Makes one reading a minute from the metrics of processes, regardless of their export interval. */
export class MinuteReadings {
  readonly #last = new RememberedProcesses<Last>();
  readonly #counts: MinuteCounts;

  constructor(clock: () => number) {
    this.#counts = new MinuteCounts(clock);
  }

  /**
   * Returns the reading to keep, the same one for the same time; undefined when one of the same minute or a later one was
   * kept, and `surplus` beyond the organization's readings of a minute. `process` tells its processes apart.
   */
  keep(organizationId: string, process: string, reading: ProcessReading): KeptReading | "surplus" | undefined {
    const { atMs, ...state } = reading;
    const last = this.#last.get(organizationId, process);
    // It may come again since its request wasn't taken.
    if (atMs === last?.atMs) return last.kept;
    if (last && minuteOf(atMs) <= minuteOf(last.atMs)) return undefined;
    if (!this.#counts.add(organizationId, otlpLimits.otlpReadingsPerMinuteMax)) return "surplus";
    const kept = { ...state, at: new Date(atMs).toISOString() };
    this.#last.set(organizationId, process, { atMs, kept });
    return kept;
  }

  /** Forgets a reading that was to be kept, but couldn't be, so that the next one of its minute is kept instead. */
  giveBack(organizationId: string, { process, reading }: ReadingOfProcess): void {
    if (this.#last.get(organizationId, process)?.kept !== reading) return;
    this.#counts.subtract(organizationId, 1);
    this.#last.delete(organizationId, process);
  }
}

function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs);
}
