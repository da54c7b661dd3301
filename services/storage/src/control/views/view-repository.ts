import { type SavedView, savedViewSchema, type ViewChange } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import type { ControlTables } from "../tables.ts";
import type { ViewRepository } from "./view-db.ts";

/** The saved views of one scope. */
export function viewRepository(db: Kysely<ControlTables>, scopeId: string): ViewRepository {
  return {
    list: (userId) => readViews(db, scopeId, userId),
    add: (userId, view, max) =>
      inTransaction(db, async (transaction) => {
        const memberId = await lockMember(transaction, scopeId, userId);
        if (memberId === null) return "no-member";
        const own = await transaction.selectFrom("saved_view").select("id").where("member_id", "=", memberId).execute();
        if (own.length >= max) return "full";
        const id = newId("view_");
        await transaction
          .insertInto("saved_view")
          .values({ id, scope_id: scopeId, member_id: memberId, ...columnsOf(view) })
          .execute();
        const added = await findView(transaction, scopeId, userId, id);
        if (!added) throw new Error(`view ${id} is gone in the transaction that added it`);
        return added;
      }),
    replace: (userId, viewId, view) =>
      inTransaction(db, async (transaction) => {
        const memberId = await lockMember(transaction, scopeId, userId);
        if (memberId === null) return null;
        const changed = await transaction
          .updateTable("saved_view")
          .set(columnsOf(view))
          .where("id", "=", viewId)
          .where("scope_id", "=", scopeId)
          .where("member_id", "=", memberId)
          .returning("id")
          .executeTakeFirst();
        return changed ? findView(transaction, scopeId, userId, viewId) : null;
      }),
    async remove(userId, viewId) {
      const removed = await db
        .deleteFrom("saved_view")
        .where("id", "=", viewId)
        .where("scope_id", "=", scopeId)
        .where("member_id", "in", (select) =>
          select.selectFrom("member").select("id").where("organizationId", "=", scopeId).where("userId", "=", userId),
        )
        .returning("id")
        .executeTakeFirst();
      return removed !== undefined;
    },
  };
}

function columnsOf({ name, filter, shared }: ViewChange) {
  return { name, filter_json: JSON.stringify(filter), is_shared: Number(shared) };
}

/** The membership, locked until the transaction ends, so that two additions can't exceed the limit together. */
async function lockMember(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  userId: string,
): Promise<string | null> {
  const member = await transaction
    .updateTable("member")
    .set((set) => ({ id: set.ref("id") }))
    .where("organizationId", "=", scopeId)
    .where("userId", "=", userId)
    .returning("id")
    .executeTakeFirst();
  return member?.id ?? null;
}

async function findView(
  db: Kysely<ControlTables>,
  scopeId: string,
  userId: string,
  viewId: string,
): Promise<SavedView | null> {
  return (await readViews(db, scopeId, userId)).find(({ id }) => id === viewId) ?? null;
}

async function readViews(db: Kysely<ControlTables>, scopeId: string, userId: string): Promise<SavedView[]> {
  const rows = await db
    .selectFrom("saved_view")
    .innerJoin("member", "member.id", "saved_view.member_id")
    .innerJoin("user", "user.id", "member.userId")
    .select(["saved_view.id", "saved_view.name", "saved_view.filter_json", "saved_view.is_shared"])
    .select(["user.id as userId", "user.name as by"])
    .where("saved_view.scope_id", "=", scopeId)
    .where(({ or, eb }) => or([eb("user.id", "=", userId), eb("saved_view.is_shared", "=", 1)]))
    .orderBy("saved_view.name")
    .orderBy("saved_view.id")
    .execute();
  return rows.map(({ id, name, by, ...row }) =>
    savedViewSchema.parse({
      id,
      name,
      by,
      filter: JSON.parse(row.filter_json),
      shared: row.is_shared === 1,
      mine: row.userId === userId,
    }),
  );
}
