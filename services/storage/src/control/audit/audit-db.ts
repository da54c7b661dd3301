import type { AuditAction, AuditEntry } from "@whence/protocol";
import type { Person } from "../settings/settings-db.ts";
import type { AuditVerdict } from "./audit-chain.ts";

/** The audit log of a scope. */
export interface AuditScope {
  readonly audit: AuditLog;
}

/** The audit logs of all organizations. */
export interface AuditStore {
  /**
   * Verifies the audit logs of all organizations, while other processes may write, and returns which of the earlier
   * heads no log contains.
   */
  verifyAuditLog(knownHeads: readonly string[]): Promise<AuditVerification>;
}

/** The audit log of one scope: who changed what. */
export interface AuditLog {
  record(change: RecordedChange): Promise<void>;
  /** Newest first; `before` is the id of the last one of the page before. */
  list(page: { limit: number; before?: string | undefined }): Promise<readonly AuditEntry[]>;
}

export interface RecordedChange {
  readonly action: AuditAction;
  readonly target: string;
  readonly by: Person;
  readonly now: Date;
}

export interface AuditVerification {
  readonly organizations: readonly AuditVerdict[];
  readonly missingHeads: readonly string[];
}
