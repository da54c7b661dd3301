import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { key, of, required, unique } from "../columns.ts";

/**
 * The tables of better-auth 1.7.7 with its `organization` plugin, as its own generator (`better-auth/db/migration`)
 * writes them: the names and types are the library's, not ours. A test compares the two.
 */
export async function createIdentity(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createUsers(db, types);
  await createOrganizations(db, types);
  await createIndexes(db);
}

async function createUsers(db: Kysely<unknown>, { text, date, boolean }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("user")
    .addColumn("id", text, key)
    .addColumn("name", text, required)
    .addColumn("email", text, unique)
    .addColumn("emailVerified", boolean, required)
    .addColumn("image", text)
    .addColumn("createdAt", date, required)
    .addColumn("updatedAt", date, required)
    .execute();
  await db.schema
    .createTable("session")
    .addColumn("id", text, key)
    .addColumn("expiresAt", date, required)
    .addColumn("token", text, unique)
    .addColumn("createdAt", date, required)
    .addColumn("updatedAt", date, required)
    .addColumn("ipAddress", text)
    .addColumn("userAgent", text)
    .addColumn("userId", text, of("user"))
    .addColumn("activeOrganizationId", text)
    .execute();
  await db.schema
    .createTable("account")
    .addColumn("id", text, key)
    .addColumn("accountId", text, required)
    .addColumn("providerId", text, required)
    .addColumn("userId", text, of("user"))
    .addColumn("accessToken", text)
    .addColumn("refreshToken", text)
    .addColumn("idToken", text)
    .addColumn("accessTokenExpiresAt", date)
    .addColumn("refreshTokenExpiresAt", date)
    .addColumn("scope", text)
    .addColumn("password", text)
    .addColumn("createdAt", date, required)
    .addColumn("updatedAt", date, required)
    .execute();
  await db.schema
    .createTable("verification")
    .addColumn("id", text, key)
    .addColumn("identifier", text, required)
    .addColumn("value", text, required)
    .addColumn("expiresAt", date, required)
    .addColumn("createdAt", date, required)
    .addColumn("updatedAt", date, required)
    .execute();
}

async function createOrganizations(db: Kysely<unknown>, { text, date }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("organization")
    .addColumn("id", text, key)
    .addColumn("name", text, required)
    .addColumn("slug", text, unique)
    .addColumn("logo", text)
    .addColumn("createdAt", date, required)
    .addColumn("metadata", text)
    .execute();
  await db.schema
    .createTable("member")
    .addColumn("id", text, key)
    .addColumn("organizationId", text, of("organization"))
    .addColumn("userId", text, of("user"))
    .addColumn("role", text, required)
    .addColumn("createdAt", date, required)
    .execute();
  await db.schema
    .createTable("invitation")
    .addColumn("id", text, key)
    .addColumn("organizationId", text, of("organization"))
    .addColumn("email", text, required)
    .addColumn("role", text)
    .addColumn("status", text, required)
    .addColumn("expiresAt", date, required)
    .addColumn("createdAt", date, required)
    .addColumn("inviterId", text, of("user"))
    .execute();
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const indexed = [
    ["session", "userId"],
    ["account", "userId"],
    ["verification", "identifier"],
    ["member", "organizationId"],
    ["member", "userId"],
    ["invitation", "organizationId"],
    ["invitation", "email"],
  ] as const;
  for (const [table, column] of indexed) {
    await db.schema.createIndex(`${table}_${column}_idx`).on(table).column(column).execute();
  }
  // Ours: joining twice, from two requests at once, makes one member.
  await db.schema.createIndex("member_once_idx").on("member").columns(["organizationId", "userId"]).unique().execute();
}
