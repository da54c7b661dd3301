import { type ColumnDataType, type Expression, sql } from "kysely";

/** The database that the migrations run on: the identity library expects different column types on each. */
export type DatabaseType = "sqlite" | "postgres";

/** The column type of each kind of value. */
export interface ColumnTypes {
  /**
   * Text ordered by its bytes. PostgreSQL's default order follows the database's locale, and ids and times that are
   * compared, paged and sorted as text must come in one order everywhere
   * (https://www.postgresql.org/docs/current/collation.html).
   */
  readonly text: ColumnDataType | Expression<unknown>;
  readonly bytes: "blob" | "bytea";
  readonly date: "date" | "timestamptz";
  readonly boolean: "integer" | "boolean";
}

const columnTypes: Record<DatabaseType, ColumnTypes> = {
  sqlite: { text: "text", bytes: "blob", date: "date", boolean: "integer" },
  postgres: { text: sql`text collate "C"`, bytes: "bytea", date: "timestamptz", boolean: "boolean" },
};

/** The types of one database's columns. */
export function columnTypesOf(type: DatabaseType): ColumnTypes {
  return columnTypes[type];
}
