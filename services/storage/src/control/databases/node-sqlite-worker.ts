import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { serveCalls } from "../../threads/serve-calls.ts";

/** One statement and its parameters, in order. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** `rows` when the statement gives any (a query, or RETURNING), else what it changed. */
export interface StatementResult {
  readonly rows: readonly Record<string, unknown>[] | null;
  readonly changes: bigint;
  readonly insertId: bigint;
}

/** The file cannot be used now, whatever the statement: a full disk, a lock, a broken device. */
export interface FileUnusable {
  readonly unusable: string;
}

await serveCalls((path: string) => {
  const db = new DatabaseSync(path);
  // The first two before there is a page: what is removed leaves the file, and no trace in it.
  db.exec(`PRAGMA busy_timeout = 5000; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = ON;
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA journal_size_limit = 16777216;`);
  return {
    answer: (statement: Statement): StatementResult | FileUnusable => answer(db, statement),
    close: () => db.close(),
  };
});

/** https://sqlite.org/rescode.html: BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB. */
const unusableCodes = [5, 6, 7, 8, 10, 11, 13, 14, 15, 26];
const primaryCodeMask = 0xff;

function answer(db: DatabaseSync, statement: Statement): StatementResult | FileUnusable {
  try {
    return run(db, statement);
  } catch (error) {
    if (
      error instanceof Error &&
      "errcode" in error &&
      unusableCodes.includes(Number(error.errcode) & primaryCodeMask)
    ) {
      return { unusable: error.message };
    }
    throw error;
  }
}

const changedNothing: StatementResult = { rows: null, changes: 0n, insertId: 0n };

function run(db: DatabaseSync, { sql, parameters }: Statement): StatementResult {
  // SQLite rolls back on its own when the disk is full. The caller should see that error, not that this rollback failed.
  if (sql === "rollback" && !db.isTransaction) return changedNothing;
  const statement = db.prepare(sql);
  const values = parameters.map(bindable);
  // A pragma works row by row also where its rows have no columns.
  if (statement.columns().length > 0 || sql.startsWith("pragma "))
    return { ...changedNothing, rows: statement.all(...values) };
  const { changes, lastInsertRowid } = statement.run(...values);
  return { rows: null, changes: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`a ${typeof value} cannot be stored: give null, a string, a number, a boolean, a Date or bytes`);
}
