import { storageErrors } from "../../errors.ts";
import { openSqliteThread } from "../../sqlite-thread.ts";
import type { CallableThread } from "../../threads/callable-thread.ts";
import type { FileUnusable, Statement, StatementResult } from "./node-sqlite-worker.ts";

type Connection = CallableThread<Statement, StatementResult | FileUnusable>;

const program = new URL("./node-sqlite-worker.ts", import.meta.url);

/** Not open yet, or closed. */
const closed: Pick<Connection, "call" | "close"> = {
  call: () => Promise.reject(new Error("the database is not open")),
  close: () => Promise.resolve(),
};

/**
 * One SQLite file and its two connections, each with a thread: one that writes, and one that reads beside it what is
 * committed (https://sqlite.org/wal.html#concurrency).
 */
export class NodeSqliteFile {
  readonly #path: string;
  #writer = closed;
  #reader = closed;
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  async open(): Promise<void> {
    // The first one makes the file and its log.
    this.#writer = await this.#connect();
    try {
      this.#reader = await this.#connect();
    } catch (error) {
      await this.#writer.close();
      throw error;
    }
  }

  /** Resolves with a release function once the caller has the writing connection to itself. */
  async turn(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#lastTurn;
    this.#lastTurn = promise;
    await before;
    return resolve;
  }

  /** For the caller that has the turn. */
  write(statement: Statement): Promise<StatementResult> {
    return this.#call(this.#writer, statement);
  }

  /** A query outside a transaction, of what is committed now. */
  read(statement: Statement): Promise<StatementResult> {
    return this.#call(this.#reader, statement);
  }

  /** The last one to be closed takes the log with it. */
  async close(): Promise<void> {
    await this.#reader.close();
    await this.#writer.close();
  }

  async #connect(): Promise<Connection> {
    try {
      return await openSqliteThread(program, this.#path);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw storageErrors.create("WHENCE_ERR_CONTROL_UNAVAILABLE", [this.#path, reason], { cause });
    }
  }

  async #call(connection: typeof closed, statement: Statement): Promise<StatementResult> {
    const answer = await connection.call(statement);
    if ("unusable" in answer) {
      throw storageErrors.create("WHENCE_ERR_CONTROL_UNAVAILABLE", [this.#path, answer.unusable]);
    }
    return answer;
  }
}
