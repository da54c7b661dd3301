import { type Kysely, sql, type Transaction } from "kysely";
import { removedText } from "../audit/erasable-text.ts";
import type { BackupRow } from "../backup/backup-db.ts";
import { plainRow } from "../backup/export-rows.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import { activityOf, forgetActor } from "../lifecycle/forget-actor.ts";
import type { ControlTables } from "../tables.ts";
import type { AccountDirectory, AccountRemoval } from "./erasure-db.ts";

/** Every table whose rows name who wrote them, as `user_id` and `user_name`. */
export const tablesNamingPeople = [
  "alert_source",
  "audit_entry",
  "connection",
  "incident_share",
  "instructions",
  "model_refusal",
  "model_settings",
  "monitor",
  "notification_rule",
  "place_watch",
] as const;

/** The accounts of people, in the identity library's tables. */
export function accountDirectory(db: Kysely<ControlTables>): AccountDirectory {
  return {
    exportRows: (userId) => exportAccount(db, userId),
    remove: (userId) => inTransaction(db, (transaction) => removeAccount(transaction, userId)),
    async verify(userId) {
      await db.updateTable("user").set({ emailVerified: sql<boolean>`true` }).where("id", "=", userId).execute();
    },
    removeSecondFactor: (email) => inTransaction(db, (transaction) => removeSecondFactor(transaction, email)),
  };
}

async function* exportAccount(db: Kysely<ControlTables>, userId: string): AsyncGenerator<BackupRow> {
  const queries = {
    user: db.selectFrom("user").selectAll().where("id", "=", userId),
    account: db.selectFrom("account").select(["id", "providerId", "createdAt"]).where("userId", "=", userId),
    session: db.selectFrom("session").select(["id", "expiresAt"]).where("userId", "=", userId),
    member: db
      .selectFrom("member")
      .innerJoin("organization", "organization.id", "member.organizationId")
      .select(["member.organizationId", "organization.name", "member.role", "member.createdAt"])
      .where("member.userId", "=", userId),
    verdict: db.selectFrom("verdict").selectAll().where("author_kind", "=", "member").where("author_id", "=", userId),
    instructions: db.selectFrom("instructions").selectAll().where("user_id", "=", userId),
    audit_entry: db.selectFrom("audit_entry").select(["id", "scope_id", "at", "action"]).where("user_id", "=", userId),
    incident_activity: activityOf(db, userId),
  } as const;
  for (const [table, query] of Object.entries(queries)) {
    for (const row of await query.execute()) yield { table, row: plainRow(row) };
  }
}

async function removeAccount(transaction: Transaction<ControlTables>, userId: string): Promise<AccountRemoval> {
  const owned = await ownedOrganizations(transaction, userId);
  const ownerless: string[] = [];
  for (const { id, name } of owned) if (!(await hasAnotherOwner(transaction, id, userId))) ownerless.push(name);
  if (ownerless.length > 0) return { outcome: "last-owner", organizations: ownerless };
  for (const table of tablesNamingPeople) {
    await transaction.updateTable(table).set({ user_name: removedText }).where("user_id", "=", userId).execute();
  }
  const written = transaction.updateTable("audit_entry").where("user_id", "=", userId);
  await written.set({ user_name_salt: null }).execute();
  const responsible = transaction.updateTable("agent").where("responsible_id", "=", userId);
  await responsible.set({ responsible_name: removedText }).execute();
  await forgetActor(transaction, userId, removedText);
  await forgetAddress(transaction, userId);
  await transaction.deleteFrom("verification").where("value", "=", userId).execute();
  // Sessions, memberships, invitations and ways to sign in go with it.
  await transaction.deleteFrom("user").where("id", "=", userId).execute();
  return { outcome: "removed" };
}

async function removeSecondFactor(transaction: Transaction<ControlTables>, email: string): Promise<string | null> {
  const user = await transaction
    .updateTable("user")
    .set({ twoFactorEnabled: sql<boolean>`false` })
    .where("email", "=", email.toLowerCase())
    .where("twoFactorEnabled", "=", sql<boolean>`true`)
    .returning("id")
    .executeTakeFirst();
  if (!user) return null;
  await transaction.deleteFrom("twoFactor").where("userId", "=", user.id).execute();
  return user.id;
}

async function ownedOrganizations(transaction: Transaction<ControlTables>, userId: string) {
  const owned = await transaction
    .selectFrom("member")
    .innerJoin("organization", "organization.id", "member.organizationId")
    .select(["organization.id", "organization.name"])
    .where("member.userId", "=", userId)
    .where("member.role", "=", "owner")
    .orderBy("organization.id")
    .execute();
  // Changes nothing, but has two owners who leave at once do so one after the other.
  for (const { id } of owned) {
    await transaction
      .updateTable("organization")
      .set((set) => ({ slug: set.ref("slug") }))
      .where("id", "=", id)
      .execute();
  }
  return owned;
}

async function hasAnotherOwner(
  transaction: Transaction<ControlTables>,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const other = await transaction
    .selectFrom("member")
    .select("id")
    .where("organizationId", "=", organizationId)
    .where("role", "=", "owner")
    .where("userId", "!=", userId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Removes a person's address from invitations and from the audit log, which names members and invited people by it. */
async function forgetAddress(transaction: Transaction<ControlTables>, userId: string): Promise<void> {
  const user = await transaction.selectFrom("user").select("email").where("id", "=", userId).executeTakeFirst();
  if (!user) return;
  const { email } = user;
  const withRole = `${email} (`;
  await transaction
    .updateTable("audit_entry")
    .set({ target: removedText, target_salt: null })
    .where(({ or, eb }) =>
      or([eb("target", "=", email), sql<boolean>`substr(target, 1, ${sql.lit(withRole.length)}) = ${withRole}`]),
    )
    .execute();
  await transaction.deleteFrom("invitation").where("email", "=", email).execute();
}
