import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import { removeIncidents } from "../incidents/remove-incidents.ts";
import { removeBundles } from "../sources/source-repository.ts";
import type { ControlTables } from "../tables.ts";
import type { Erasure, Erasures } from "./erasure-db.ts";
import { forgetSettings } from "./organization-settings.ts";

/** Requests to erase data. */
export function erasures(db: Kysely<ControlTables>): Erasures {
  return {
    async request({ scopeId, service, now }) {
      const row = { id: newId("era_"), scope_id: scopeId, service, requested_at: now.toISOString() };
      await db.insertInto("erasure").values(row).execute();
      return { id: row.id, scopeId, service, requestedAt: row.requested_at };
    },
    async pending() {
      const rows = await db.selectFrom("erasure").selectAll().orderBy("id").execute();
      return rows.map((row) => ({
        id: row.id,
        scopeId: row.scope_id,
        service: row.service,
        requestedAt: row.requested_at,
      }));
    },
    async removeRows(erasure, by) {
      const { scopeId, service } = erasure;
      const now = new Date(erasure.requestedAt);
      if (service === null) {
        await removeIncidents(db, { scopeId, by: null, now });
        await inTransaction(db, (transaction) => removeScope(transaction, scopeId));
      } else {
        await removeIncidents(db, { scopeId, service, by, now });
        await inTransaction(db, (transaction) => removeService(transaction, scopeId, service));
      }
    },
    async finish({ id }: Erasure) {
      await db.deleteFrom("erasure").where("id", "=", id).execute();
    },
  };
}

/** Failures that became no incident, and what joined incidents of other services. */
async function removeService(transaction: Transaction<ControlTables>, scopeId: string, service: string): Promise<void> {
  const ofService = transaction
    .selectFrom("failure")
    .select("fingerprint")
    .where("scope_id", "=", scopeId)
    .where("service", "=", service);
  await transaction
    .deleteFrom("failure_decision")
    .where("scope_id", "=", scopeId)
    .where("fingerprint", "in", ofService)
    .execute();
  await transaction.deleteFrom("failure").where("scope_id", "=", scopeId).where("service", "=", service).execute();
  await removeBundles(transaction, scopeId, { service });
  for (const table of ["reported_release", "release_commits", "deployment", "wanted_source", "debug_file"] as const) {
    await transaction.deleteFrom(table).where("scope_id", "=", scopeId).where("service", "=", service).execute();
  }
  const monitorsOfService = transaction
    .selectFrom("monitor")
    .select("id")
    .where("scope_id", "=", scopeId)
    .where("service", "=", service);
  await transaction.deleteFrom("monitor_result").where("monitor_id", "in", monitorsOfService).execute();
  await transaction
    .deleteFrom("incident_failure")
    .where("service", "=", service)
    .where("incident_id", "in", (select) => select.selectFrom("incident").select("id").where("scope_id", "=", scopeId))
    .execute();
}

/** Removes everything but the organization, its members, how they sign in, and its audit log. */
async function removeScope(transaction: Transaction<ControlTables>, scopeId: string): Promise<void> {
  for (const table of [
    ...(["outbox", "failure_decision", "failure", "secret", "incident_thresholds", "exited_process"] as const),
    ...(["incident_opening", "instructions", "connection", "notification_rule", "notification_occasion"] as const),
    ...(["reported_release", "source_bundle", "source_manifest", "source_content", "wanted_source"] as const),
    ...(["artifact_chunk", "debug_file", "release_commits"] as const),
    ...(["conversation", "alert_source", "alert", "deployment", "monitor_result", "monitor", "api_key"] as const),
    ...(["model_settings", "model_refusal", "model_usage", "ownership_rule", "saved_view"] as const),
  ]) {
    await transaction.deleteFrom(table).where("scope_id", "=", scopeId).execute();
  }
  for (const table of ["agent", "event_usage"] as const) {
    await transaction.deleteFrom(table).where("organization_id", "=", scopeId).execute();
  }
  await forgetSettings(transaction, scopeId);
  await transaction.deleteFrom("invitation").where("organizationId", "=", scopeId).execute();
}
