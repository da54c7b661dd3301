import type { Kysely, Selectable, Transaction } from "kysely";
import { writeEntry } from "../audit/audit-log.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import { lockIncident } from "../lifecycle/lock-incident.ts";
import type { ControlTables } from "../tables.ts";
import type { AddedShare, NewShare, ShareRepository, ShareStore, StoredShare } from "./share-db.ts";
import type { IncidentShareTable } from "./share-tables.ts";

/** The share links of one scope. */
export function shareRepository(db: Kysely<ControlTables>, scopeId: string): ShareRepository {
  return {
    add: (share) => inTransaction(db, (transaction) => addShare(transaction, scopeId, share)),
    async list(incidentId, now) {
      const rows = await db
        .selectFrom("incident_share")
        .selectAll()
        .where("scope_id", "=", scopeId)
        .where("incident_id", "=", incidentId)
        .where("expires_at", ">", now.toISOString())
        .orderBy("id", "desc")
        .execute();
      return rows.map(toShare);
    },
    revoke: (incidentId, shareId, by, now) =>
      inTransaction(db, async (transaction) => {
        const removed = await transaction
          .deleteFrom("incident_share")
          .where("id", "=", shareId)
          .where("scope_id", "=", scopeId)
          .where("incident_id", "=", incidentId)
          .returning("id")
          .executeTakeFirst();
        if (!removed) return false;
        await writeEntry(transaction, scopeId, { action: "incident.share-revoked", target: incidentId, by, now });
        return true;
      }),
  };
}

/** The share links of every scope, by the hashes of their tokens. */
export function shareDirectory(db: Kysely<ControlTables>): ShareStore["sharedReports"] {
  return {
    async open(tokenHash, now) {
      const at = now.toISOString();
      const found = await db
        .updateTable("incident_share")
        .set((set) => ({ opened: set("opened", "+", 1), last_opened_at: at }))
        .where("token_hash", "=", tokenHash)
        .where("expires_at", ">", at)
        .returning(["scope_id", "incident_id", "expires_at"])
        .executeTakeFirst();
      if (!found) return null;
      return { scopeId: found.scope_id, incidentId: found.incident_id, expiresAt: found.expires_at };
    },
  };
}

async function addShare(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  share: NewShare,
): Promise<AddedShare> {
  const { incidentId, tokenHash, expiresAt, by, now } = share;
  // Two additions to one incident take turns, so that they can't exceed its limit together.
  if (!(await lockIncident(transaction, scopeId, incidentId))) return { outcome: "unknown" };
  await transaction
    .deleteFrom("incident_share")
    .where("scope_id", "=", scopeId)
    .where("expires_at", "<=", now.toISOString())
    .execute();
  const ofScope = await transaction
    .selectFrom("incident_share")
    .select("incident_id")
    .where("scope_id", "=", scopeId)
    .execute();
  if (ofScope.length >= share.perScopeMax) return { outcome: "full", of: "scope", max: share.perScopeMax };
  const ofIncident = ofScope.filter((row) => row.incident_id === incidentId);
  if (ofIncident.length >= share.perIncidentMax) {
    return { outcome: "full", of: "incident", max: share.perIncidentMax };
  }
  const row: Selectable<IncidentShareTable> = {
    id: newId("shr_"),
    scope_id: scopeId,
    incident_id: incidentId,
    token_hash: tokenHash,
    created_at: now.toISOString(),
    user_id: by.id,
    user_name: by.name.toWellFormed(),
    expires_at: expiresAt.toISOString(),
    opened: 0,
    last_opened_at: null,
  };
  await transaction.insertInto("incident_share").values(row).execute();
  await writeEntry(transaction, scopeId, { action: "incident.shared", target: incidentId, by, now });
  return { outcome: "added", share: toShare(row) };
}

function toShare(row: Selectable<IncidentShareTable>): StoredShare {
  return {
    id: row.id,
    createdAt: row.created_at,
    createdBy: row.user_name,
    expiresAt: row.expires_at,
    opened: Number(row.opened),
    lastOpenedAt: row.last_opened_at,
  };
}
