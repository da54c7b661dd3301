import type { AgentRequest, AgentStatus, AgentSummary, KeyScope, SentryProject } from "@whence/protocol";
import type { Kysely } from "kysely";
import type { AccountDirectory } from "./erasure-db.ts";

/** The keys of all organizations and agents, and how much was accepted under them. */
export interface KeyStore {
  readonly keys: KeyDirectory;
  readonly usage: UsageLedger;
}

/** All agents. */
export interface AgentStore {
  readonly agents: AgentDirectory;
}

/** All organizations. */
export interface OrganizationStore {
  readonly organizations: OrganizationDirectory;
}

/** The accounts of people, and what guards their passwords. */
export interface AccountStore {
  readonly accounts: AccountDirectory;
  readonly passwordAttempts: PasswordAttempts;
  /** The same database for the identity library, whose tables (user, session, organization, …) live beside ours. */
  readonly identity: { readonly db: Kysely<unknown>; readonly type: "sqlite" | "postgres" };
}

/** What an owner decides for the organization; null: the service's default. */
export interface OrganizationSettings {
  readonly retentionDays: number | null;
  /** Events accepted in a day (UTC). Null: no quota. */
  readonly eventsPerDay: number | null;
  /** What the inputs of analyses may take of the disk, in bytes. Null: the service's default. */
  readonly inputBytesMax: number | null;
  /** Whether ids of users and what else identifies them are stored as sent, not hashed. */
  readonly plainUsers: boolean;
  /** Whether members can't sign in with a password, and who joins must have an account at the operator's OpenID provider. */
  readonly passwordsOff: boolean;
}

/** Events accepted by day, added up over all gateways. */
export interface UsageLedger {
  /** Adds to the day (`2026-03-01`, UTC) and returns its total so far. Adding 0 reads. */
  add(organizationId: string, day: string, events: number): Promise<number>;
}

/** Attempts at passwords, counted by what they were aimed at. */
export interface PasswordAttempts {
  /**
   * Counts an attempt and returns null, or returns when the next attempt is allowed and counts nothing. `delayMs` is
   * the wait after that many attempts; they are forgotten `forgetAfterMs` after the last one.
   */
  take(attempt: {
    readonly aim: string;
    readonly now: Date;
    readonly forgetAfterMs: number;
    readonly delayMs: (attempts: number) => number;
  }): Promise<Date | null>;
  /** Forgets the attempts: the password was right, or was replaced. */
  forget(aim: string): Promise<void>;
}

/** The owner of a key, which decides the rows it may read, and the key's scopes. */
export type Principal =
  | {
      readonly kind: "organization";
      readonly keyId: string;
      readonly name: string;
      readonly scopes: readonly KeyScope[];
      /** What Sentry's clients send with the key is for; null for every other key. */
      readonly project: SentryProject | null;
      readonly organizationId: string;
      readonly scopeId: string;
      readonly settings: OrganizationSettings;
    }
  | {
      readonly kind: "agent";
      readonly keyId: string;
      /** The framework that registered it. */
      readonly name: string;
      readonly scopes: readonly KeyScope[];
      readonly agentId: string;
      /** Null while unclaimed. */
      readonly organizationId: string | null;
      readonly scopeId: string;
    };

/** The result of looking up a key: its owner, or why it isn't valid. */
export type KeyLookup =
  | {
      readonly outcome: "valid";
      readonly principal: Principal;
      /** Null: never. */
      readonly expiresAt: string | null;
      /** Whether to call {@link KeyDirectory.touch}: the last use was recorded more than five minutes ago. */
      readonly isUseUnnoted: boolean;
    }
  /** `unconfirmed`: the key of an agent whose responsible member has left the organization. */
  | { readonly outcome: "unknown" | "revoked" | "expired" | "unconfirmed" };

export interface KeyDirectory {
  /** `hash` is the SHA-256 (hex) of the key. `now` decides whether an unclaimed agent has expired. */
  find(hash: string, now: Date): Promise<KeyLookup>;
  /** Stores a key for an organization; the same hash again for the same organization changes nothing. */
  add(key: NewKey): Promise<{ id: string }>;
  /** True when this call revoked it. */
  revoke(organizationId: string, keyId: string, now: Date): Promise<boolean>;
  /** The organization's own keys, and those of its agents. */
  list(organizationId: string): Promise<readonly KeySummary[]>;
  /** Notes that the key was used. */
  touch(keyId: string, now: Date): Promise<void>;
}

export interface NewKey {
  readonly organizationId: string;
  readonly name: string;
  readonly hash: string;
  readonly prefix: string;
  readonly scope: KeyScope;
  /** With the scope `sentry` only. */
  readonly project?: SentryProject;
  readonly now: Date;
}

export interface KeySummary {
  readonly id: string;
  readonly name: string;
  /** The first characters, which identify the key in a list. */
  readonly prefix: string;
  readonly scopes: readonly KeyScope[];
  readonly project: SentryProject | null;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  /** Null for an organization's own key. */
  readonly agentId: string | null;
}

export interface NewAgent {
  readonly source: string;
  /** The address that asks for it. */
  readonly registeredFrom: string | null;
  readonly keyHash: string;
  readonly claimTokenHash: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** A member who takes responsibility for an agent in their organization. */
export interface ResponsibleMember {
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
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
   * again in its new scope, since the message under way names the old one. The agent's key works while the member who
   * claimed it, or the one who confirmed it last, belongs to the organization.
   */
  claim(claimTokenHash: string, by: ResponsibleMember, now: Date): Promise<ClaimOutcome>;
  /** The agent that this token claims, with what a member may see of it; null when there is none. */
  asking(claimTokenHash: string): Promise<(AgentRequest & { readonly organizationId: string | null }) | null>;
  /**
   * Makes a member responsible for an agent of their organization, replacing the previous one. False when the
   * organization has no such agent, or it was revoked.
   */
  confirm(agentId: string, by: ResponsibleMember, now: Date): Promise<boolean>;
  /** The organization's agents, the one claimed last first. */
  list(organizationId: string): Promise<readonly AgentSummary[]>;
  /** Revokes an agent's key. False when the organization has no such agent, or it was already revoked. */
  revoke(organizationId: string, agentId: string, now: Date): Promise<boolean>;
  /** Null when there is no such agent. */
  status(agentId: string, now: Date): Promise<AgentStatus | null>;
}

/** The person who sets up a new service. */
export interface FirstOwner {
  readonly organizationId: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  /** Hashed by the identity library. */
  readonly passwordHash: string;
  readonly now: Date;
}

export type SetUpOutcome = "done" | "spent" | "email-taken";

export interface OrganizationDirectory {
  /** Returns the organization with this slug, creating it if needed. */
  ensure(organization: { slug: string; name: string; now: Date }): Promise<{ id: string; created: boolean }>;
  /** Whether the service has or ever had an owner. */
  isSetUp(): Promise<boolean>;
  /**
   * Creates the first owner and their account in one transaction. `spent`: the service already has an owner, perhaps
   * since a moment ago. An account with this address that belongs to no organization is taken over and its sessions
   * end; one that belongs to an organization is `email-taken`.
   */
  setUp(owner: FirstOwner): Promise<SetUpOutcome>;
  addMember(member: { organizationId: string; userId: string; role: "owner" | "member"; now: Date }): Promise<void>;
  /** The organization's slug; null when there is no such organization. */
  slug(organizationId: string): Promise<string | null>;
  settings(organizationId: string): Promise<OrganizationSettings>;
  configure(organizationId: string, settings: OrganizationSettings): Promise<void>;
  /** The user's organizations, the earliest joined first. */
  ofUser(userId: string): Promise<readonly { id: string; name: string; role: string }[]>;
}
