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
   * Whether the audit log of every organization is as it was written, while others may write; and which of the hashes,
   * noted as heads earlier, no log contains.
   */
  verifyAuditLog(knownHeads: readonly string[]): Promise<AuditVerification>;
}

/** Who changed what in a scope. */
export interface AuditLog {
  record(entry: { action: AuditAction; target: string; by: Person; now: Date }): Promise<void>;
  /** Newest first; `before` is the id of the last one of the page before. */
  list(page: { limit: number; before?: string | undefined }): Promise<readonly AuditEntry[]>;
}

export interface AuditVerification {
  readonly organizations: readonly AuditVerdict[];
  readonly missingHeads: readonly string[];
}
