import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";

/** What collectors look at: no code, and nothing that is more than data. The event is null for a text and a process exit. */
export type CollectedFor = Pick<Findings, "incident" | "observedAt" | "event" | "about">;

/** Brings evidence from one source. Its adapters read the event store, and later the integrations. */
export interface Collector {
  /** Names the source in evidence and in `not_checked`. */
  readonly name: string;
  /** How long it may take, in milliseconds; 2 s when absent. */
  readonly deadlineMs?: number;
  /**
   * Evidence about what was found so far. A rejection, or outliving the deadline, becomes a line in `not_checked`; so does
   * what is reported to `missed`: why a part is missing, while the rest is there.
   */
  collect(findings: CollectedFor, signal: AbortSignal, missed: Missed): Promise<readonly Observation[]>;
}

/** Reports why a part is missing; `from` names who was to give it, when that isn't the collector's own source. */
export type Missed = (why: string, from?: string) => void;
