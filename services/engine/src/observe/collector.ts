import type { ParsedInput } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";

/** What collectors get to see: plain data, without code. The event is null for a text and for a process exit. */
export type CollectedFor = Omit<ParsedInput, "error" | "exit">;

/** Provides evidence from one source, such as the event store or an integration. */
export interface Collector {
  /** Names the source in evidence and in `not_checked`. */
  readonly name: string;
  /** The deadline in milliseconds; 2 s by default. */
  readonly deadlineMs?: number;
  /**
   * Returns evidence about the findings so far. A rejection or a missed deadline becomes a line in `not_checked`. So
   * does each call of `missed`, which says why one part is missing while the rest is there.
   */
  collect(findings: CollectedFor, signal: AbortSignal, missed: Missed): Promise<readonly Observation[]>;
}

/**
 * Reports why a part is missing; `from` names the source that should have provided it, when that isn't the collector's
 * own.
 */
export type Missed = (why: string, from?: string) => void;
