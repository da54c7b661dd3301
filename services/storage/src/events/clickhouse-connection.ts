import type { ClickHouseClient } from "@clickhouse/client";

/** What differs between the embedded engine and a server: how statements get there, and how rows do. */
export interface ClickHouseConnection {
  readonly client: ClickHouseClient;
  /** Questions that it is asked at a time: more would only slow each other down. */
  readonly questionsAtOnce: number;
  /** Resolves once the rows are stored. Rejects when that is not certain. */
  insert(rows: Rows): Promise<void>;
  close(): Promise<void>;
}

/** Rows of one table in TabSeparated, on their way to the engine as one insert. */
export interface Rows {
  readonly database: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** One after the other they are the rows, each with its line's end. */
  readonly text: readonly Buffer[];
  readonly settings: Readonly<Record<string, string | number>>;
}
