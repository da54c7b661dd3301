import { randomUUID } from "node:crypto";
import { WhenceError } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { storageErrors } from "../../errors.ts";
import { appliedMigrations } from "../databases/migrate.ts";
import { askAgain } from "../investigations/investigation-message.ts";
import type { ControlTables } from "../tables.ts";
import { type AnyTables, backedUpTables, migrationRows, rowsAtOnce } from "./backed-up-tables.ts";
import type { BackupRow } from "./backup-db.ts";

type Rows = AsyncIterable<BackupRow> | Iterable<BackupRow>;

/**
 * Writes a backup into an empty database, in one transaction, and queues every unfinished investigation again.
 * `connect` opens a connection used only for this, and closed at the end.
 */
export async function importRows(connect: () => Kysely<ControlTables>, rows: Rows): Promise<void> {
  const db = connect();
  try {
    await db.transaction().execute(async (transaction) => {
      await refuseFull(transaction);
      for await (const { table, rows: together } of batches(checked(rows, await appliedMigrations(transaction)))) {
        await insert(transaction, table, together);
      }
      await queueUnfinished(transaction);
    });
  } finally {
    await db.destroy();
  }
}

async function refuseFull(transaction: Transaction<ControlTables>): Promise<void> {
  for (const { name } of backedUpTables) {
    const row = await transaction.withTables<AnyTables>().selectFrom(name).selectAll().limit(1).executeTakeFirst();
    if (row) throw storageErrors.create("WHENCE_ERR_CONTROL_NOT_EMPTY", [name]);
  }
}

/** The rows to write, once the migrations that stand before them are all known here. */
async function* checked(rows: Rows, known: readonly string[]): AsyncGenerator<BackupRow> {
  let namesItsRelease = false;
  for await (const row of rows) {
    if (row.table !== migrationRows) {
      if (!namesItsRelease) throw unreadable("it does not begin with the migrations it has seen");
      if (!backedUpTables.some(({ name }) => name === row.table)) throw unreadable(`it has a table ${row.table}`);
      yield row;
      continue;
    }
    namesItsRelease = true;
    const name = String(row.row.name);
    if (!known.includes(name)) throw unreadable(`it is of a newer release, which has ${name}`);
  }
  if (!namesItsRelease) throw unreadable("it is empty");
}

interface Batch {
  readonly table: string;
  readonly rows: readonly BackupRow["row"][];
}

/** Neighbors of one table, together. */
async function* batches(rows: AsyncIterable<BackupRow>): AsyncGenerator<Batch> {
  let table = "";
  let together: BackupRow["row"][] = [];
  for await (const next of rows) {
    if (next.table !== table || together.length === rowsAtOnce) {
      if (together.length > 0) yield { table, rows: together };
      [table, together] = [next.table, []];
    }
    together.push(next.row);
  }
  if (together.length > 0) yield { table, rows: together };
}

async function insert(transaction: Transaction<ControlTables>, table: string, rows: Batch["rows"]): Promise<void> {
  const { bytes = [] } = backedUpTables.find(({ name }) => name === table) ?? {};
  try {
    const values = rows.map((row) => ({ ...row, ...bytesOf(row, bytes) }));
    await transaction.withTables<AnyTables>().insertInto(table).values(values).execute();
  } catch (error) {
    if (error instanceof WhenceError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw unreadable(`its rows of ${table} do not fit: ${reason}`, error);
  }
}

function bytesOf(row: BackupRow["row"], columns: readonly string[]): Record<string, Buffer> {
  const present = columns.filter((column) => typeof row[column] === "string");
  return Object.fromEntries(present.map((column) => [column, Buffer.from(String(row[column]), "base64")]));
}

/** Under ids of their own: the queue may remember the ones that were sent before the backup. */
async function queueUnfinished(transaction: Transaction<ControlTables>): Promise<void> {
  const unfinished = await transaction
    .selectFrom("incident")
    .select(["id", "scope_id"])
    .where("status", "in", ["queued", "investigating"])
    .execute();
  for (const { id, scope_id } of unfinished) {
    await askAgain(transaction, { incidentId: id, scopeId: scope_id, after: randomUUID() });
  }
}

function unreadable(reason: string, cause?: unknown): Error {
  return storageErrors.create("WHENCE_ERR_BACKUP_UNREADABLE", [reason], { cause });
}
