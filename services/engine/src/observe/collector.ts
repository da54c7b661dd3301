import type { Findings, Observation } from "../findings.ts";

/** What collectors look at: no code, and nothing that is more than data. The event is null for a pasted text and a death. */
export type CollectedFor = Pick<Findings, "incident" | "observedAt" | "event">;

/** Brings evidence from one source. Its adapters read the event store, and later the integrations. */
export interface Collector {
  /** Names the source in evidence and in `not_checked`. */
  readonly name: string;
  /** How long it may take, in milliseconds; 2 s when absent. */
  readonly deadlineMs?: number;
  /** Evidence about what was found so far. A rejection, or outliving the deadline, becomes a line in `not_checked`. */
  collect(findings: CollectedFor, signal: AbortSignal): Promise<readonly Observation[]>;
}
