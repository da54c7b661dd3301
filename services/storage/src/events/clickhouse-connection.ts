import type { ClickHouseClient } from "@clickhouse/client";

/** The transport of statements and rows, which differs between the embedded engine and a server. */
export interface ClickHouseConnection {
  readonly client: ClickHouseClient;
  /** The number of concurrent queries; more would only slow each other down. */
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
  /** Concatenated, the rows with their line ends. */
  readonly text: readonly Buffer[];
  readonly settings: Readonly<Record<string, string | number>>;
}
