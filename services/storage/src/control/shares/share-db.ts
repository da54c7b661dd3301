import type { Actor } from "@whence/protocol";

/** The links by which people without an account read reports of a scope. */
export interface ShareScope {
  readonly shares: ShareRepository;
}

/** Finds what a link leads to, before the scope is known. */
export interface ShareStore {
  readonly sharedReports: {
    /** What the link of this hash leads to, counted as opened; null for one that expired, was revoked, or never was. */
    open(tokenHash: string, now: Date): Promise<SharedIncident | null>;
  };
}

export interface SharedIncident {
  readonly scopeId: string;
  readonly incidentId: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

export interface ShareRepository {
  /** Adds a link in one transaction, with its entry in the audit log. Expired ones of the scope are removed. */
  add(share: NewShare): Promise<AddedShare>;
  /** The links of an incident that still work, the latest first. */
  list(incidentId: string, now: Date): Promise<readonly StoredShare[]>;
  /** Removes a link, with its entry in the audit log; false when the incident has none of this id. */
  revoke(incidentId: string, shareId: string, by: Actor, now: Date): Promise<boolean>;
}

export interface NewShare {
  readonly incidentId: string;
  readonly tokenHash: string;
  readonly expiresAt: Date;
  readonly by: Actor;
  readonly now: Date;
  /** How many working links an incident and its scope may have. */
  readonly perIncidentMax: number;
  readonly perScopeMax: number;
}

export type AddedShare =
  | { readonly outcome: "added"; readonly share: StoredShare }
  | { readonly outcome: "unknown" }
  /** The incident, or the scope, has `max` working links. */
  | { readonly outcome: "full"; readonly of: "incident" | "scope"; readonly max: number };

/** A link, without the token, which is known to those who have it only. Times are RFC 3339. */
export interface StoredShare {
  readonly id: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly opened: number;
  readonly lastOpenedAt: string | null;
}
