import type { Actor } from "@whence/protocol";

/** The merges of a scope's incidents. */
export interface MergeScope {
  readonly merges: MergeRepository;
}

/** Incidents of one scope that people merge, and separate again. */
export interface MergeRepository {
  /**
   * Makes incidents part of another one, which keeps its title, report, owner, and lifecycle, and takes over their
   * failures, in one transaction with the activity of each and its entry in the audit log: all of them, or none.
   */
  merge(into: string, ids: readonly string[], by: Actor, now: Date): Promise<MergeOutcome>;
  /**
   * Gives an incident that someone merged its state and its failures back, with what they did since, and has its report
   * refined again. What stays with the other incident: a failure that had joined both, what a failure did since that the
   * other one counted before, and what had been merged into this one. `not-merged`: no one merged it.
   */
  separate(id: string, by: Actor, now: Date): Promise<SeparationOutcome>;
}

export type SeparationOutcome = { readonly outcome: "changed" | "unknown" | "not-merged" };

export type MergeOutcome =
  | { readonly outcome: "changed" }
  | { readonly outcome: "unknown"; readonly id: string }
  | { readonly outcome: "merged"; readonly id: string; readonly into: string }
  /** Its investigation hasn't ended. */
  | { readonly outcome: "under-investigation"; readonly id: string };
