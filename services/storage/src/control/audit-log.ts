import { type AuditEntry, auditEntrySchema } from "@whence/protocol";
import type { Kysely } from "kysely";
import { newId } from "./ids.ts";
import type { AuditLog } from "./settings-db.ts";
import type { AuditEntryTable, ControlTables } from "./tables.ts";

const targetLengthMax = 200;

/** The audit log of one scope. */
export function auditLog(db: Kysely<ControlTables>, scopeId: string): AuditLog {
  return {
    async record({ action, target, by, now }) {
      await db
        .insertInto("audit_entry")
        .values({
          ...{ id: newId("aud_"), scope_id: scopeId, at: now.toISOString(), user_id: by.id, user_name: by.name },
          ...{ action, target: target.slice(0, targetLengthMax) },
        })
        .execute();
    },
    async list({ limit, before }) {
      let query = db.selectFrom("audit_entry").selectAll().where("scope_id", "=", scopeId);
      if (before !== undefined) query = query.where("id", "<", before);
      return (await query.orderBy("id", "desc").limit(limit).execute()).map(toEntry);
    },
  };
}

function toEntry({ id, at, user_id, user_name, action, target }: AuditEntryTable): AuditEntry {
  return auditEntrySchema.parse({ id, at, actor: { id: user_id, name: user_name }, action, target });
}
