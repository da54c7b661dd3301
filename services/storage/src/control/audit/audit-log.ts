import { type AuditEntry, auditEntrySchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import type { AuditEntryTable, ControlTables } from "../tables.ts";
import { appendEntry } from "./audit-chain.ts";
import type { AuditLog, RecordedChange } from "./audit-db.ts";
import { sealText } from "./erasable-text.ts";

const targetLengthMax = 200;

/** The audit log of one scope. */
export function auditLog(db: Kysely<ControlTables>, scopeId: string): AuditLog {
  return {
    record: (change) => inTransaction(db, (transaction) => writeEntry(transaction, scopeId, change)),
    async list({ limit, before }) {
      let query = db.selectFrom("audit_entry").selectAll().where("scope_id", "=", scopeId);
      if (before !== undefined) query = query.where("id", "<", before);
      return (await query.orderBy("id", "desc").limit(limit).execute()).map(toEntry);
    },
  };
}

/** Writes an entry in the transaction of the change. */
export function writeEntry(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { action, target, by, now }: RecordedChange,
): Promise<void> {
  // Databases replace half a character, and the entry would no longer be what its hash was taken of.
  const name = by.name.toWellFormed();
  const text = target.slice(0, targetLengthMax).toWellFormed();
  const sealed = { name: sealText(name), target: sealText(text) };
  return appendEntry(transaction, {
    id: newId("aud_"),
    scope_id: scopeId,
    at: now.toISOString(),
    action,
    user_id: by.id,
    user_name: name,
    user_name_salt: sealed.name.salt,
    user_name_digest: sealed.name.digest,
    target: text,
    target_salt: sealed.target.salt,
    target_digest: sealed.target.digest,
  });
}

function toEntry({ id, at, user_id, user_name, action, target }: AuditEntryTable): AuditEntry {
  return auditEntrySchema.parse({ id, at, actor: { id: user_id, name: user_name }, action, target });
}
