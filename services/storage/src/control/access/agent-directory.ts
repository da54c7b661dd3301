import type { AgentRequest, AgentStatus, AgentSummary } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import { askAgain } from "../investigations/investigation-message.ts";
import type { AgentTable, ControlTables } from "../tables.ts";
import type { AgentDirectory, ClaimOutcome, NewAgent, ResponsibleMember } from "./access-db.ts";

/** The prefix of agents' keys, which tells them apart in an owner's list of keys. */
const agentKeyPrefix = "wha_";

/** Creates the directory of agents, from registration to claim. */
export function agentDirectory(db: Kysely<ControlTables>): AgentDirectory {
  return {
    register: (agent) => inTransaction(db, (transaction) => register(transaction, agent)),
    claim: (claimTokenHash, by, now) => inTransaction(db, (transaction) => claim(transaction, claimTokenHash, by, now)),
    asking: (claimTokenHash) => asking(db, claimTokenHash),
    async confirm(agentId, by, now) {
      const { numUpdatedRows } = await db
        .updateTable("agent")
        .set({ responsible_id: by.userId, responsible_name: by.name, confirmed_at: now.toISOString() })
        .where("id", "=", agentId)
        .where("organization_id", "=", by.organizationId)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom("api_key")
              .select("api_key.id")
              .whereRef("api_key.agent_id", "=", "agent.id")
              .where("api_key.revoked_at", "is", null),
          ),
        )
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    list: (organizationId) => listAgents(db, organizationId),
    async revoke(organizationId, agentId, now) {
      const { numUpdatedRows } = await db
        .updateTable("api_key")
        .set({ revoked_at: now.toISOString() })
        .where("agent_id", "=", agentId)
        .where("scope_id", "=", organizationId)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async status(agentId, now) {
      const agent = await db.selectFrom("agent").selectAll().where("id", "=", agentId).executeTakeFirst();
      return agent ? status(agent, now) : null;
    },
  };
}

async function listAgents(db: Kysely<ControlTables>, organizationId: string): Promise<AgentSummary[]> {
  const rows = await db
    .selectFrom("agent")
    .innerJoin("api_key", "api_key.agent_id", "agent.id")
    .select(["agent.id", "agent.source", "agent.created_at", "agent.claimed_at"])
    .select(["api_key.revoked_at", "api_key.last_used_at"])
    .select(["agent.registered_from", "agent.responsible_id", "agent.responsible_name", "agent.confirmed_at"])
    .leftJoin("member", (join) =>
      join
        .onRef("member.organizationId", "=", "agent.organization_id")
        .onRef("member.userId", "=", "agent.responsible_id"),
    )
    .select("member.id as responsible_member")
    .where("agent.organization_id", "=", organizationId)
    .orderBy("agent.claimed_at", "desc")
    .orderBy("agent.id", "desc")
    .execute();
  return rows.flatMap(({ id: agent_id, claimed_at, responsible_id, responsible_name, responsible_member, ...row }) =>
    claimed_at === null
      ? []
      : {
          agent_id,
          source: row.source,
          created_at: row.created_at,
          registered_from: row.registered_from,
          claimed_at,
          confirmed_at: row.confirmed_at,
          responsible: { id: responsible_id ?? "", name: responsible_name ?? "" },
          needs_confirmation: responsible_member === null,
          revoked_at: row.revoked_at,
          last_used_at: row.last_used_at,
        },
  );
}

async function asking(db: Kysely<ControlTables>, claimTokenHash: string): ReturnType<AgentDirectory["asking"]> {
  const agent = await db
    .selectFrom("agent")
    .selectAll()
    .where("claim_token_hash", "=", claimTokenHash)
    .executeTakeFirst();
  if (!agent) return null;
  const { id: agent_id, source, created_at, registered_from, expires_at, organization_id } = agent;
  const request: AgentRequest = { agent_id, source, created_at, registered_from, expires_at };
  return { ...request, organizationId: organization_id };
}

async function register(transaction: Transaction<ControlTables>, agent: NewAgent): Promise<{ id: string }> {
  const id = newId("agt_");
  const createdAt = agent.now.toISOString();
  await transaction
    .insertInto("agent")
    .values({
      id,
      source: agent.source,
      claim_token_hash: agent.claimTokenHash,
      created_at: createdAt,
      expires_at: agent.expiresAt.toISOString(),
      registered_from: agent.registeredFrom,
      organization_id: null,
      claimed_at: null,
      responsible_id: null,
      responsible_name: null,
      confirmed_at: null,
    })
    .execute();
  await transaction
    .insertInto("api_key")
    .values({
      id: newId("key_"),
      hash: agent.keyHash,
      prefix: agentKeyPrefix,
      name: agent.source,
      scope_id: id,
      agent_id: id,
      access_scope: null,
      project_json: null,
      created_at: createdAt,
      revoked_at: null,
      last_used_at: null,
    })
    .execute();
  return { id };
}

async function claim(
  transaction: Transaction<ControlTables>,
  claimTokenHash: string,
  { organizationId, userId, name }: ResponsibleMember,
  now: Date,
): Promise<ClaimOutcome> {
  // An update that changes nothing locks the row on every database: of two claims at once, the second sees the first.
  const agent = await transaction
    .updateTable("agent")
    .set({ claim_token_hash: claimTokenHash })
    .where("claim_token_hash", "=", claimTokenHash)
    .returningAll()
    .executeTakeFirst();
  if (!agent) return { outcome: "unknown" };
  if (agent.organization_id !== null && agent.claimed_at !== null) {
    if (agent.organization_id !== organizationId) return { outcome: "claimed-by-another" };
    return { outcome: "claimed", agentId: agent.id, organizationId, claimedAt: agent.claimed_at };
  }
  if (now.getTime() >= Date.parse(agent.expires_at)) return { outcome: "expired" };
  const claimedAt = now.toISOString();
  await transaction
    .updateTable("agent")
    .set({ organization_id: organizationId, claimed_at: claimedAt, responsible_id: userId, responsible_name: name })
    .where("id", "=", agent.id)
    .execute();
  await moveScope(transaction, agent.id, organizationId);
  return { outcome: "claimed", agentId: agent.id, organizationId, claimedAt };
}

/** Keys, incidents with their steps, and failures with their decisions. */
async function moveScope(transaction: Transaction<ControlTables>, from: string, to: string): Promise<void> {
  await transaction.updateTable("api_key").set({ scope_id: to }).where("scope_id", "=", from).execute();
  const moved = await transaction
    .updateTable("incident")
    .set({ scope_id: to })
    .where("scope_id", "=", from)
    .returning(["id", "status"])
    .execute();
  const unfinished = moved.filter(({ status }) => status === "queued" || status === "investigating");
  for (const { id } of unfinished) await askAgain(transaction, { incidentId: id, scopeId: to, after: to });
  await moveFailures(transaction, from, to);
}

/**
 * Moves failures to the organization. Where both have a row for a failure, the organization's stays: a scope has one
 * row per failure. Rows are locked in the order in which a decision locks them, so a concurrent decision about the same
 * failure finishes first and stands.
 */
async function moveFailures(transaction: Transaction<ControlTables>, from: string, to: string): Promise<void> {
  const failures = await transaction.selectFrom("failure").selectAll().where("scope_id", "=", from).execute();
  for (const failure of failures) {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("failure")
      .values({ ...failure, scope_id: to })
      .onConflict((conflict) => conflict.columns(["scope_id", "fingerprint", "env"]).doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) continue;
    await transaction
      .updateTable("failure_decision")
      .set({ scope_id: to })
      .where("scope_id", "=", from)
      .where("fingerprint", "=", failure.fingerprint)
      .where("env", "=", failure.env)
      .execute();
  }
  await transaction.deleteFrom("failure_decision").where("scope_id", "=", from).execute();
  await transaction.deleteFrom("failure").where("scope_id", "=", from).execute();
}

function status(agent: AgentTable, now: Date): AgentStatus {
  const { id: agent_id, source, created_at, organization_id } = agent;
  if (organization_id !== null) {
    return {
      agent_id,
      source,
      status: "claimed",
      organization_id,
      created_at,
      expires_at: null,
      expires_in_seconds: null,
    };
  }
  const remainingMs = Math.max(0, Date.parse(agent.expires_at) - now.getTime());
  return {
    agent_id,
    source,
    status: "unclaimed",
    organization_id: null,
    created_at,
    expires_at: agent.expires_at,
    expires_in_seconds: Math.floor(remainingMs / 1_000),
  };
}
