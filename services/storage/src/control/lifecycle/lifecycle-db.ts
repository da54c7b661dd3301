import type { Actor, LifecycleChange } from "@whence/protocol";

/** The lifecycles of a scope's incidents. */
export interface LifecycleScope {
  readonly lifecycle: LifecycleRepository;
}

/** What people decide about the incidents of one scope. */
export interface LifecycleRepository {
  /**
   * Changes an incident's lifecycle in one transaction, with its activity, its entry in the audit log, and its
   * notification. Of two changes at once, the second sees what the first did.
   */
  change(incidentId: string, change: LifecycleChange, by: Actor, now: Date): Promise<LifecycleOutcome>;
}

export type LifecycleOutcome =
  | { readonly outcome: "changed" | "unchanged" | "unknown" }
  /** The state doesn't allow the action. */
  | { readonly outcome: "refused" }
  | { readonly outcome: "merged"; readonly into: string }
  /** It can't be resolved in the next release, since no event of its failure names one. */
  | { readonly outcome: "no-release" }
  /** Nothing counts its events, so only a time can end a mute. */
  | { readonly outcome: "no-failure" };
