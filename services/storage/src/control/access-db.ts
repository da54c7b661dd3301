import type { AgentStatus, AgentSummary } from "@whence/protocol";

/** What an owner decides for the organization; null: the service's default. */
export interface OrganizationSettings {
  readonly retentionDays: number | null;
  /** Events accepted in a day (UTC). Null: no quota. */
  readonly eventsPerDay: number | null;
  /** What the inputs of analyses may take of the disk, in bytes. Null: the service's default. */
  readonly inputBytesMax: number | null;
}

/** Events accepted by day, added up over all gateways. */
export interface UsageLedger {
  /** Adds to the day (`2026-03-01`, UTC) and returns its total so far. Adding 0 reads. */
  add(organizationId: string, day: string, events: number): Promise<number>;
}

/** Who a key belongs to, and so which rows its holder may see. */
export type Principal =
  | {
      readonly kind: "organization";
      readonly keyId: string;
      readonly organizationId: string;
      readonly scopeId: string;
      readonly settings: OrganizationSettings;
    }
  | {
      readonly kind: "agent";
      readonly keyId: string;
      readonly agentId: string;
      /** Null while unclaimed. */
      readonly organizationId: string | null;
      readonly scopeId: string;
    };

/** What became of a key that was shown: its owner, or why it no longer opens anything. */
export type KeyLookup =
  | {
      readonly outcome: "valid";
      readonly principal: Principal;
      /** Null: never. */
      readonly expiresAt: string | null;
      /** Whether it is time to {@link KeyDirectory.touch}: its use was not noted for five minutes. */
      readonly isUseUnnoted: boolean;
    }
  | { readonly outcome: "unknown" | "revoked" | "expired" };

export interface KeyDirectory {
  /** `hash` is the SHA-256 (hex) of the key. `now` decides whether an unclaimed agent has expired. */
  find(hash: string, now: Date): Promise<KeyLookup>;
  /** Stores a key for an organization; the same hash again for the same organization changes nothing. */
  add(key: { organizationId: string; name: string; hash: string; prefix: string; now: Date }): Promise<{ id: string }>;
  /** True when this call revoked it. */
  revoke(organizationId: string, keyId: string, now: Date): Promise<boolean>;
  /** The organization's own keys, and those of its agents. */
  list(organizationId: string): Promise<readonly KeySummary[]>;
  /** Notes that the key was used. */
  touch(keyId: string, now: Date): Promise<void>;
}

export interface KeySummary {
  readonly id: string;
  readonly name: string;
  /** The first characters, to recognise it by. */
  readonly prefix: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  /** Null for an organization's own key. */
  readonly agentId: string | null;
}

export interface NewAgent {
  readonly source: string;
  readonly keyHash: string;
  readonly claimTokenHash: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export type ClaimOutcome =
  | {
      readonly outcome: "claimed";
      readonly agentId: string;
      readonly organizationId: string;
      readonly claimedAt: string;
    }
  | { readonly outcome: "unknown" | "expired" | "claimed-by-another" };

export interface AgentDirectory {
  register(agent: NewAgent): Promise<{ id: string }>;
  /**
   * Gives the agent, its key and its incidents to the organization, in one transaction. By the same organization again:
   * the first claim's answer. An agent claimed in time never expires. An incident that has not ended yet is queued
   * again in its new scope, since the message under way names the old one.
   */
  claim(claimTokenHash: string, organizationId: string, now: Date): Promise<ClaimOutcome>;
  /** The organization's agents, the one claimed last first. */
  list(organizationId: string): Promise<readonly AgentSummary[]>;
  /** Revokes an agent's key; false when it is none of the organization's, or has been revoked. */
  revoke(organizationId: string, agentId: string, now: Date): Promise<boolean>;
  /** Null when there is no such agent. */
  status(agentId: string, now: Date): Promise<AgentStatus | null>;
}

/** The person who sets a new service up. */
export interface FirstOwner {
  readonly organizationId: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  /** As the identity library makes it. */
  readonly passwordHash: string;
  readonly now: Date;
}

export type SetUpOutcome = "done" | "spent" | "email-taken";

export interface OrganizationDirectory {
  /** The organization of this slug, made if there is none. */
  ensure(organization: { slug: string; name: string; now: Date }): Promise<{ id: string; created: boolean }>;
  /** Whether the service has or ever had an owner. */
  isSetUp(): Promise<boolean>;
  /**
   * Makes the first owner, with an account to sign in with, all or nothing. `spent`: the service is set up already, also
   * when another got there first. An account of the address that belongs to no organization is taken over, and what was
   * signed in with it is signed out; one that does is `email-taken`.
   */
  setUp(owner: FirstOwner): Promise<SetUpOutcome>;
  addMember(member: { organizationId: string; userId: string; role: "owner" | "member"; now: Date }): Promise<void>;
  settings(organizationId: string): Promise<OrganizationSettings>;
  configure(organizationId: string, settings: OrganizationSettings): Promise<void>;
  /** The user's organizations, the earliest joined first. */
  ofUser(userId: string): Promise<readonly { id: string; name: string; role: string }[]>;
}
