import type { Kysely, Transaction } from "kysely";
import { newId } from "../ids.ts";
import type { DatabaseType } from "../migrations/column-types.ts";
import type { ControlTables } from "../tables.ts";
import type { FirstOwner, SetUpOutcome } from "./access-db.ts";

/** There is one first owner of a service, and so one row. */
const onlyRow = "first";

/** Whether the service has or had an owner. */
export async function isSetUp(db: Kysely<ControlTables>): Promise<boolean> {
  return (await db.selectFrom("first_owner").select("id").executeTakeFirst()) !== undefined;
}

/** Makes the person the first owner. Of two concurrent calls, the second sees the first one's owner. */
export async function setUp(
  transaction: Transaction<ControlTables>,
  type: DatabaseType,
  owner: FirstOwner,
): Promise<SetUpOutcome> {
  const known = await findUser(transaction, owner.email);
  const userId = known?.id ?? newId("usr_");
  if (await isSetUp(transaction)) return "spent";
  if (known && (await isMember(transaction, known.id))) return "email-taken";
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("first_owner")
    .values({ id: onlyRow, user_id: userId, granted_at: owner.now.toISOString() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return "spent";
  if (known) await takeOver(transaction, known.id, owner);
  else await addUser(transaction, type, userId, owner);
  await addCredentials(transaction, userId, owner);
  await addMember(transaction, { ...owner, userId, role: "owner" });
  return "done";
}

/** Adds a member, once. */
export async function addMember(
  db: Kysely<ControlTables>,
  { organizationId, userId, role, now }: { organizationId: string; userId: string; role: string; now: Date },
): Promise<void> {
  await db
    .insertInto("member")
    .values({ id: newId("mem_"), organizationId, userId, role, createdAt: now.toISOString() })
    .onConflict((conflict) => conflict.columns(["organizationId", "userId"]).doNothing())
    .execute();
}

async function findUser(db: Kysely<ControlTables>, email: string): Promise<{ id: string } | undefined> {
  return db.selectFrom("user").select("id").where("email", "=", email).executeTakeFirst();
}

async function isMember(db: Kysely<ControlTables>, userId: string): Promise<boolean> {
  const member = await db.selectFrom("member").select("id").where("userId", "=", userId).limit(1).executeTakeFirst();
  return member !== undefined;
}

/** An account that belongs to no organization: left by a set-up that died, or a stranger's, who must not keep a way in. */
async function takeOver(db: Kysely<ControlTables>, userId: string, { name, now }: FirstOwner): Promise<void> {
  await db.deleteFrom("session").where("userId", "=", userId).execute();
  await db.deleteFrom("account").where("userId", "=", userId).execute();
  await db.updateTable("user").set({ name, updatedAt: now.toISOString() }).where("id", "=", userId).execute();
}

async function addUser(
  db: Kysely<ControlTables>,
  type: DatabaseType,
  id: string,
  { name, email, now }: FirstOwner,
): Promise<void> {
  const at = now.toISOString();
  const emailVerified = type === "sqlite" ? 1 : true;
  await db
    .insertInto("user")
    .values({ id, name, email, emailVerified, image: null, twoFactorEnabled: null, createdAt: at, updatedAt: at })
    .execute();
}

/** As the identity library stores a password. */
async function addCredentials(
  db: Kysely<ControlTables>,
  userId: string,
  { passwordHash, now }: FirstOwner,
): Promise<void> {
  const at = now.toISOString();
  await db
    .insertInto("account")
    .values({
      id: newId("acc_"),
      accountId: userId,
      providerId: "credential",
      userId,
      password: passwordHash,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
}
