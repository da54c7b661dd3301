import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from "kysely";
import { NodeSqliteFile } from "./node-sqlite-file.ts";
import type { StatementResult } from "./node-sqlite-worker.ts";

/**
 * Kysely on `node:sqlite`, which is synchronous: the file belongs to threads of its own, so that an fsync never stalls
 * the event loop. What writes, and every transaction, has one connection, one after the other; a query outside of a
 * transaction has another one, sees what is committed, and waits for no transaction. What the file refuses, whatever
 * the statement (a full disk, a lock), rejects with `WHENCE_ERR_CONTROL_UNAVAILABLE`.
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

  /** Each caller gets a connection of its own; the file decides per statement which real one serves it. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #file: NodeSqliteFile;

  constructor(path: string) {
    this.#file = new NodeSqliteFile(path);
  }

  async init(): Promise<void> {
    await this.#file.open();
  }

  async acquireConnection(): Promise<NodeSqliteConnection> {
    return new NodeSqliteConnection(this.#file);
  }

  beginTransaction(connection: NodeSqliteConnection, { accessMode }: TransactionSettings): Promise<void> {
    // IMMEDIATE: a transaction that reads first and writes later could otherwise fail at its first write. One that only
    // reads blocks no writer.
    return connection.begin(accessMode === "read only" ? "begin" : "begin immediate");
  }

  async commitTransaction(connection: NodeSqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: NodeSqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async releaseConnection(connection: NodeSqliteConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#file.close();
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #file: NodeSqliteFile;
  /** From the first transaction on; until the connection is given back. */
  #leave: (() => void) | null = null;

  constructor(file: NodeSqliteFile) {
    this.#file = file;
  }

  async begin(statement: string): Promise<void> {
    this.#leave ??= await this.#file.turn();
    await this.#file.write({ sql: statement, parameters: [] });
  }

  release(): void {
    this.#leave?.();
    this.#leave = null;
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = { sql, parameters };
    if (this.#leave) return toResult(await this.#file.write(statement));
    if (SelectQueryNode.is(query)) return toResult(await this.#file.read(statement));
    const leave = await this.#file.turn();
    try {
      return toResult(await this.#file.write(statement));
    } finally {
      leave();
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}

function toResult<Row>({ rows, changes, insertId }: StatementResult): QueryResult<Row> {
  if (rows) return { rows: rows as Row[] };
  return { rows: [], numAffectedRows: changes, numChangedRows: changes, insertId };
}
