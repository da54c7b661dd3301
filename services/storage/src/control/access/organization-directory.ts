import type { Kysely } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import type { DatabaseType } from "../migrations/column-types.ts";
import type { ControlTables } from "../tables.ts";
import type { OrganizationDirectory } from "./access-db.ts";
import { addMember, isSetUp, setUp } from "./first-owner.ts";
import { readSettings, writeSettings } from "./organization-settings.ts";

/** Organizations and their members, in the identity library's tables. */
export function organizationDirectory(db: Kysely<ControlTables>, type: DatabaseType): OrganizationDirectory {
  return {
    async ensure({ slug, name, now }) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("organization")
        .values({ id: newId("org_"), slug, name, logo: null, metadata: null, createdAt: now.toISOString() })
        .onConflict((conflict) => conflict.column("slug").doNothing())
        .executeTakeFirst();
      const { id } = await db
        .selectFrom("organization")
        .select("id")
        .where("slug", "=", slug)
        .executeTakeFirstOrThrow();
      return { id, created: (numInsertedOrUpdatedRows ?? 0n) > 0n };
    },
    isSetUp: () => isSetUp(db),
    setUp: (owner) => inTransaction(db, (transaction) => setUp(transaction, type, owner)),
    addMember: (member) => addMember(db, member),
    async slug(organizationId) {
      const found = await db
        .selectFrom("organization")
        .select("slug")
        .where("id", "=", organizationId)
        .executeTakeFirst();
      return found?.slug ?? null;
    },
    settings: (organizationId) => readSettings(db, organizationId),
    configure: (organizationId, settings) => writeSettings(db, organizationId, settings),
    ofUser: (userId) =>
      db
        .selectFrom("member")
        .innerJoin("organization", "organization.id", "member.organizationId")
        .select(["organization.id", "organization.name", "member.role"])
        .where("member.userId", "=", userId)
        .orderBy("member.createdAt")
        .orderBy("member.id")
        .execute(),
  };
}
