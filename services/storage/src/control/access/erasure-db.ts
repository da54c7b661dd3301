import type { BackupRow } from "../backup/backup-db.ts";

/** The data of all scopes that is to be erased. */
export interface ErasureStore {
  readonly erasures: Erasures;
}

/** Something to be gone for good: one service of a scope, or all that the scope has. */
export interface Erasure {
  readonly id: string;
  readonly scopeId: string;
  /** Null: all that the scope has. */
  readonly service: string | null;
  /** RFC 3339. What was received before is deleted. */
  readonly requestedAt: string;
}

/**
 * Data that organizations asked to be deleted. A request outlives the process that takes it: telemetry that was on its way then
 * is stored a little later, and goes with another pass.
 */
export interface Erasures {
  request(erasure: { scopeId: string; service: string | null; now: Date }): Promise<Erasure>;
  /** The oldest first. */
  pending(): Promise<readonly Erasure[]>;
  /**
   * Removes the rows of this database: incidents with all that belongs to them, and failures; of a whole scope its keys,
   * agents, integrations, rules and settings too. The organization, its members and its audit log stay.
   */
  removeRows(erasure: Erasure): Promise<void>;
  finish(erasure: Erasure): Promise<void>;
}

export type AccountRemoval =
  | { readonly outcome: "removed" }
  /** The organizations that would have no owner left, by name. */
  | { readonly outcome: "last-owner"; readonly organizations: readonly string[] };

/** The accounts of people. */
export interface AccountDirectory {
  /** What is kept about a person, table by table; never a password, a token or another person's address. */
  exportRows(userId: string): AsyncIterable<BackupRow>;
  /**
   * Removes an account with its sessions, memberships and ways to sign in. What the person wrote stays where it is,
   * without a name.
   */
  remove(userId: string): Promise<AccountRemoval>;
}
