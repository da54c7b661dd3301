import type { Actor, OwnerChange, Ownership, OwnershipChange } from "@whence/protocol";

/** The owners of a scope's incidents. */
export interface OwnershipScope {
  readonly ownership: OwnershipRepository;
  readonly ownershipRules: OwnershipRules;
}

/**
 * The members who own services and paths, in the order in which rules decide. A member's rules end with their
 * membership.
 */
export interface OwnershipRules {
  read(): Promise<Ownership>;
  /** Replaces all rules, unless one names an owner who is no member: then `unknown` is what it named. */
  replace(rules: OwnershipChange["rules"]): Promise<{ readonly unknown: string | null }>;
}

/** The owners of one scope's incidents, and the comments of its members. */
export interface OwnershipRepository {
  /**
   * Changes an incident's owner, or acknowledges it, in one transaction, with its activity and its entry in the audit
   * log. An agent takes an incident for the member who is responsible for it.
   */
  change(incidentId: string, change: OwnerChange, by: Actor, now: Date): Promise<OwnerOutcome>;
  /** Adds a comment to an incident's activity, with the members whom it names. */
  comment(incidentId: string, text: string, by: Actor, now: Date): Promise<CommentOutcome>;
  /** The members who can own incidents. */
  members(): Promise<readonly NamedMember[]>;
}

/** A member of an organization. */
export interface NamedMember {
  readonly id: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  /** Whether the address was shown to be the member's. */
  readonly isVerified: boolean;
}

type Refused =
  | { readonly outcome: "unknown" }
  /** Changes belong to the incident that it was merged into. */
  | { readonly outcome: "merged"; readonly into: string };

export type OwnerOutcome =
  | Refused
  | { readonly outcome: "unchanged" }
  /** `owner` is null when no one takes care of it now, or it was only acknowledged. */
  | { readonly outcome: "changed"; readonly owner: NamedMember | null }
  /** Whom it names is no member of the organization; for `take`: the one who takes it isn't. */
  | { readonly outcome: "no-member" };

export type CommentOutcome = Refused | { readonly outcome: "added"; readonly mentioned: readonly NamedMember[] };
