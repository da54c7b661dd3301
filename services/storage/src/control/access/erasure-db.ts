import type { Actor } from "@whence/protocol";
import type { BackupRow } from "../backup/backup-db.ts";

/** Requests to erase data, of all scopes. */
export interface ErasureStore {
  readonly erasures: Erasures;
}

/** A request to erase the data of one service, or of a whole scope. */
export interface Erasure {
  readonly id: string;
  readonly scopeId: string;
  /** Null: the whole scope. */
  readonly service: string | null;
  /** RFC 3339. What was received before is deleted. */
  readonly requestedAt: string;
}

/**
 * Requests to erase data. A request outlives the process that handles it: telemetry still in the queue at that time is
 * stored later and erased by another pass.
 */
export interface Erasures {
  request(erasure: { scopeId: string; service: string | null; now: Date }): Promise<Erasure>;
  /** The oldest first. */
  pending(): Promise<readonly Erasure[]>;
  /**
   * Removes incidents with everything that belongs to them, and failures; for a whole scope also its keys, agents,
   * integrations, rules and settings. The organization, its members, its choice to turn passwords off, and its audit log
   * stay. `by` is who asked: incidents of other services that people had merged into removed ones are separated in their
   * name.
   */
  removeRows(erasure: Erasure, by: Actor): Promise<void>;
  finish(erasure: Erasure): Promise<void>;
}

export type AccountRemoval =
  | { readonly outcome: "removed" }
  /** The organizations that would have no owner left, by name. */
  | { readonly outcome: "last-owner"; readonly organizations: readonly string[] };

/** The accounts of people. */
export interface AccountDirectory {
  /** Reads everything stored about a person, table by table, without passwords, tokens or other people's addresses. */
  exportRows(userId: string): AsyncIterable<BackupRow>;
  /**
   * Removes an account with its sessions, memberships and credentials. What the person wrote stays, without their name.
   */
  remove(userId: string): Promise<AccountRemoval>;
  /** Notes that the account's address was shown to be the person's. */
  verify(userId: string): Promise<void>;
  /** Removes the second factor of the account with the address, and returns its id; null when it has none. */
  removeSecondFactor(email: string): Promise<string | null>;
}
