import { type Kysely, sql } from "kysely";
import { appliedMigrations } from "../databases/migrate.ts";
import type { ControlTables } from "../tables.ts";
import { type AnyTables, type BackedUpTable, backedUpTables, migrationRows, rowsAtOnce } from "./backed-up-tables.ts";
import type { BackupRow } from "./backup-db.ts";

/**
 * Reads everything in the database as of one moment, even if the reader takes long. `connect` opens a connection used
 * only for this, and closed at the end.
 */
export async function* exportRows(connect: () => Kysely<ControlTables>): AsyncGenerator<BackupRow> {
  const db = connect();
  try {
    const snapshot = await db
      .startTransaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute();
    try {
      for (const name of await appliedMigrations(snapshot)) yield { table: migrationRows, row: { name } };
      for (const table of backedUpTables) yield* rowsOf(snapshot, table);
    } finally {
      await snapshot.rollback().execute();
    }
  } finally {
    await db.destroy();
  }
}

async function* rowsOf(db: Kysely<ControlTables>, { name, key }: BackedUpTable): AsyncGenerator<BackupRow> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let after: readonly unknown[] | null = null;
  for (;;) {
    let page = db.withTables<AnyTables>().selectFrom(name).selectAll().limit(rowsAtOnce);
    for (const column of key) page = page.orderBy(column);
    if (after) page = page.where(sql<boolean>`(${columns}) > (${sql.join(after)})`);
    const rows = await page.execute();
    for (const row of rows) yield { table: name, row: plainRow(row) };
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    after = key.map((column) => last[column]);
  }
}

/** A row of either database in the form that a backup has. */
export function plainRow(row: Record<string, unknown>): BackupRow["row"] {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plainValue(column, value)]));
}

/** The identity library's dates and booleans are values of their own on PostgreSQL, and text and 0 or 1 on SQLite. */
function plainValue(column: string, value: unknown): string | number | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  throw new TypeError(`the column ${column} holds a ${typeof value}, which a backup has no form for`);
}
