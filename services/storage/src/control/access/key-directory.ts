import {
  agentKeyScopes,
  type KeyScope,
  keyScopeSchema,
  type SentryProject,
  sentryProjectSchema,
} from "@whence/protocol";
import type { Kysely } from "kysely";
import { storageErrors } from "../../errors.ts";
import { isAgentScope, newId } from "../ids.ts";
import type { ControlTables } from "../tables.ts";
import type { KeyDirectory, KeyLookup, KeySummary, NewKey, Principal } from "./access-db.ts";
import { type SettingsRow, toSettings } from "./organization-settings.ts";

/** Precision of a key's last use: a write for every request would cost too much. */
const useNotedEveryMs = 300_000;

/** The keys of organizations and agents, by their hashes. */
export function keyDirectory(db: Kysely<ControlTables>): KeyDirectory {
  return {
    find: (hash, now) => findKey(db, hash, now),
    add: (key) => addKey(db, key),
    async revoke(organizationId, keyId, now) {
      const { numUpdatedRows } = await db
        .updateTable("api_key")
        .set({ revoked_at: now.toISOString() })
        .where("id", "=", keyId)
        .where("scope_id", "=", organizationId)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async list(organizationId) {
      const rows = await db
        .selectFrom("api_key")
        .select(["id", "name", "prefix", "access_scope", "created_at", "revoked_at", "last_used_at", "agent_id"])
        .select("project_json")
        .where("scope_id", "=", organizationId)
        .orderBy("id")
        .execute();
      return rows.map(
        (row): KeySummary => ({
          id: row.id,
          name: row.name,
          prefix: row.prefix,
          scopes: scopesOf(row.access_scope),
          project: projectOf(row.project_json),
          createdAt: row.created_at,
          revokedAt: row.revoked_at,
          lastUsedAt: row.last_used_at,
          agentId: row.agent_id,
        }),
      );
    },
    async touch(keyId, now) {
      await db.updateTable("api_key").set({ last_used_at: now.toISOString() }).where("id", "=", keyId).execute();
    },
  };
}

async function findKey(db: Kysely<ControlTables>, hash: string, now: Date): Promise<KeyLookup> {
  const row = await db
    .selectFrom("api_key")
    .leftJoin("agent", "agent.id", "api_key.agent_id")
    .select(["api_key.id", "api_key.scope_id", "api_key.agent_id", "api_key.access_scope"])
    .select(["api_key.name", "api_key.project_json"])
    .select(["api_key.revoked_at", "api_key.last_used_at"])
    .select(["agent.claimed_at", "agent.expires_at"])
    .leftJoin("organization_settings as settings", "settings.organization_id", "api_key.scope_id")
    .select(["settings.retention_days", "settings.events_per_day", "settings.input_bytes_max"])
    .select(["settings.plain_users", "settings.passwords_off"])
    .leftJoin("organization", "organization.id", "api_key.scope_id")
    .select("organization.id as organization_id")
    .leftJoin("member", (join) =>
      join
        .onRef("member.organizationId", "=", "agent.organization_id")
        .onRef("member.userId", "=", "agent.responsible_id"),
    )
    .select(["agent.organization_id as claimed_by", "member.id as responsible_member"])
    .where("api_key.hash", "=", hash)
    .executeTakeFirst();
  // An organization that is gone takes what its keys open with it.
  if (!row || (row.organization_id === null && !isAgentScope(row.scope_id))) return { outcome: "unknown" };
  if (row.revoked_at !== null) return { outcome: "revoked" };
  const expiresAt = row.claimed_at === null ? row.expires_at : null;
  if (expiresAt !== null && now.getTime() >= Date.parse(expiresAt)) return { outcome: "expired" };
  if (row.claimed_by !== null && row.responsible_member === null) return { outcome: "unconfirmed" };
  const notedAt = row.last_used_at === null ? 0 : Date.parse(row.last_used_at);
  return {
    outcome: "valid",
    principal: principal(row),
    expiresAt,
    isUseUnnoted: now.getTime() >= notedAt + useNotedEveryMs,
  };
}

interface OwnedKey extends SettingsRow {
  readonly id: string;
  readonly scope_id: string;
  readonly name: string;
  readonly agent_id: string | null;
  readonly access_scope: string | null;
  readonly project_json: string | null;
}

function principal(row: OwnedKey): Principal {
  const { id: keyId, scope_id: scopeId, agent_id: agentId, name } = row;
  const scopes = scopesOf(row.access_scope);
  if (agentId === null) {
    const project = projectOf(row.project_json);
    const organizationId = scopeId;
    return { kind: "organization", keyId, name, scopes, project, organizationId, scopeId, settings: toSettings(row) };
  }
  const organizationId = isAgentScope(scopeId) ? null : scopeId;
  return { kind: "agent", keyId, name, scopes, agentId, organizationId, scopeId };
}

function scopesOf(accessScope: string | null): readonly KeyScope[] {
  return accessScope === null ? agentKeyScopes : [keyScopeSchema.parse(accessScope)];
}

function projectOf(json: string | null): SentryProject | null {
  return json === null ? null : sentryProjectSchema.parse(JSON.parse(json));
}

async function addKey(db: Kysely<ControlTables>, key: NewKey): Promise<{ id: string }> {
  await db
    .insertInto("api_key")
    .values({
      id: newId("key_"),
      hash: key.hash,
      prefix: key.prefix,
      name: key.name,
      scope_id: key.organizationId,
      agent_id: null,
      access_scope: key.scope,
      project_json: key.project ? JSON.stringify(key.project) : null,
      created_at: key.now.toISOString(),
      revoked_at: null,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
  const { id, scope_id } = await db
    .selectFrom("api_key")
    .select(["id", "scope_id"])
    .where("hash", "=", key.hash)
    .executeTakeFirstOrThrow();
  if (scope_id !== key.organizationId) {
    throw storageErrors.create("WHENCE_ERR_KEY_OF_ANOTHER_ORGANIZATION", [key.organizationId]);
  }
  return { id };
}
