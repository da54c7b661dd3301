import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from "kysely";
import { storageErrors } from "../errors.ts";
import { openWorkerChannel, type WorkerChannel } from "../worker-channel.ts";
import type { FileUnusable, Statement, StatementResult } from "./node-sqlite-worker.ts";

type Channel = WorkerChannel<Statement, StatementResult | FileUnusable>;

/**
 * Kysely on `node:sqlite`, which is synchronous: the file belongs to a thread of its own, so that an fsync never stalls
 * the event loop. There is one connection; Kysely's own mutex gives it to one query or one transaction at a time. What
 * the file refuses, whatever the statement (a full disk, a lock), rejects with `WHENCE_ERR_CONTROL_UNAVAILABLE`.
 */
export function nodeSqliteDialect(path: string): Dialect {
  return {
    createDriver: () => new NodeSqliteDriver(path),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new NodeSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class NodeSqliteAdapter extends SqliteAdapter implements DialectAdapter {
  /** SQLite does roll DDL back (https://sqlite.org/lang_transaction.html), so a migration is whole or absent. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #path: string;
  #channel: Channel | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  async init(): Promise<void> {
    const program = new URL("./node-sqlite-worker.ts", import.meta.url);
    try {
      this.#channel = await openWorkerChannel(program, this.#path);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw storageErrors.create("WHENCE_ERR_CONTROL_UNAVAILABLE", [this.#path, reason], { cause });
    }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#channel) throw new Error("the database is not open");
    return new NodeSqliteConnection(this.#channel, this.#path);
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    // IMMEDIATE: a transaction that reads first and writes later could otherwise fail at its first write. One that only
    // reads stands in no writer's way.
    await connection.executeQuery(CompiledQuery.raw(accessMode === "read only" ? "begin" : "begin immediate"));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  /** Nothing to give back: there is one connection, and the mutex around it is Kysely's. */
  async releaseConnection(): Promise<void> {
    await Promise.resolve();
  }

  async destroy(): Promise<void> {
    await this.#channel?.close();
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #channel: Channel;
  readonly #path: string;

  constructor(channel: Channel, path: string) {
    this.#channel = channel;
    this.#path = path;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = await this.#channel.call({ sql, parameters });
    if ("unusable" in answer) {
      throw storageErrors.create("WHENCE_ERR_CONTROL_UNAVAILABLE", [this.#path, answer.unusable]);
    }
    const { rows, changes, insertId } = answer;
    if (rows) return { rows: rows as Row[] };
    return { rows: [], numAffectedRows: changes, numChangedRows: changes, insertId };
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}
