import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Migration } from "kysely/migration";
import { describe, expect, it } from "vitest";
import type { DatabaseType } from "../../src/control/migrations/column-types.ts";
import { migrationsFor } from "../../src/control/migrations/index.ts";
import { now } from "./contract/samples.ts";
import { controlDatabases } from "./databases.ts";

const types: readonly DatabaseType[] = ["sqlite", "postgres"];

/** The statements of a migration, which reach no database. */
async function statementsOf(type: DatabaseType, migration: Migration): Promise<readonly string[]> {
  const statements: string[] = [];
  const isSqlite = type === "sqlite";
  const db = new Kysely<unknown>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
      createIntrospector: (kysely) => (isSqlite ? new SqliteIntrospector(kysely) : new PostgresIntrospector(kysely)),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await migration.up(db);
  return statements;
}

/** What a migration does that the release before it cannot live with, as far as its text tells. */
function breaches(statements: readonly string[]): readonly string[] {
  const own = statements.flatMap((statement) => /^create table "(\w+)"/.exec(statement)?.[1] ?? []);
  return statements.filter((statement) => {
    if (/\b(drop|rename)\b/i.test(statement)) return true;
    const [, table = ""] = /^(?:alter table|create unique index "\w+" on) "(\w+)"/.exec(statement) ?? [];
    if (table === "" || own.includes(table)) return false;
    return (
      !/^alter table "\w+" add column /.test(statement) || (/not null/.test(statement) && !/default/.test(statement))
    );
  });
}

const add = (change: (db: Kysely<unknown>) => Promise<void>): Migration => ({ up: (db) => change(db) });

describe.each(types)("the migrations of %s", (type) => {
  const migrations = Object.entries(migrationsFor(type));

  it("are numbered without a gap", () => {
    const numbers = migrations.map(([name]) => /^(\d{4})-[a-z-]+$/.exec(name)?.[1]);
    expect(numbers).toEqual(migrations.map((_, index) => String(index + 1).padStart(4, "0")));
  });

  it("only add, so that the previous release can run next to them", async () => {
    for (const [name, migration] of migrations.filter(([name]) => !/^\d+-contract/.test(name))) {
      expect({ name, breaches: breaches(await statementsOf(type, migration)) }).toEqual({ name, breaches: [] });
    }
  });

  it.each<[string, Migration]>([
    ["drops a table", add((db) => db.schema.dropTable("agent").execute())],
    ["drops a column", add((db) => db.schema.alterTable("agent").dropColumn("source").execute())],
    ["renames a column", add((db) => db.schema.alterTable("agent").renameColumn("source", "name").execute())],
    ["renames a table", add((db) => db.schema.alterTable("agent").renameTo("agents").execute())],
    [
      "asks for a value",
      add((db) =>
        db.schema
          .alterTable("agent")
          .addColumn("x", "text", (c) => c.notNull())
          .execute(),
      ),
    ],
    ["asks for uniqueness", add((db) => db.schema.createIndex("i").on("agent").column("source").unique().execute())],
    [
      "narrows a column",
      add((db) =>
        db.schema
          .alterTable("agent")
          .alterColumn("source", (c) => c.setNotNull())
          .execute(),
      ),
    ],
  ])("would fail that test: one that %s", async (_, migration) => {
    expect(breaches(await statementsOf(type, migration))).toHaveLength(1);
  });
});

type MigrationTables = Record<"kysely_migration", { name: string; timestamp: string }>;

const kinds = controlDatabases();
const [, postgres] = kinds;

describe("a postgres database", () => {
  it("is migrated once when ten processes start on it at the same time", async () => {
    const open = await postgres.create();
    const opened = await Promise.all(Array.from({ length: 10 }, () => open()));
    const [first] = opened;
    const applied = await first?.identity.db
      .withTables<MigrationTables>()
      .selectFrom("kysely_migration")
      .select("name")
      .execute();
    expect(applied?.map(({ name }) => name).sort()).toEqual(Object.keys(migrationsFor("postgres")));
  });
});

describe.each(kinds)("a $name database", ({ create }) => {
  it("of a newer release is opened as it is, unless that release removed what this one needs", async () => {
    const open = await create();
    const migrations = (await open()).identity.db.withTables<MigrationTables>();
    const timestamp = "2100-01-01T00:00:00.000Z";
    await migrations.insertInto("kysely_migration").values({ name: "9998-later", timestamp }).execute();
    expect(await (await open()).organizations.ensure({ slug: "acme", name: "Acme", now })).toMatchObject({
      created: true,
    });
    await migrations.insertInto("kysely_migration").values({ name: "9999-contract-agents", timestamp }).execute();
    await expect(open()).rejects.toMatchObject({
      code: "WHENCE_ERR_CONTROL_MIGRATION_FAILED",
      message: expect.stringContaining("9999-contract-agents"),
    });
  });
});
