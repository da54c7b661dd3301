import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** Statements of one database, each prepared once. */
export class StatementCache {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Several statements without parameters, such as a schema. */
  execute(sql: string): void {
    this.#db.exec(sql);
  }

  /** How many rows it changed. */
  run(sql: string, ...parameters: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...parameters).changes);
  }

  all<Row>(sql: string, ...parameters: SQLInputValue[]): Row[] {
    // The row's type is the statement's own column list, which stands at each call.
    return this.prepare(sql).all(...parameters) as Row[];
  }

  prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const prepared = this.#db.prepare(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}
