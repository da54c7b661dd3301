import type { ColumnDefinitionBuilder } from "kysely";

/** What a column is besides its type. */
export type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

export const required: Column = (column) => column.notNull();
export const unique: Column = (column) => column.notNull().unique();
export const key: Column = (column) => column.notNull().primaryKey();
export const zero: Column = (column) => column.notNull().defaultTo(0);

/** A column that names a row of `table`, and goes with it. */
export function of(table: string): Column {
  return (column) => column.notNull().references(`${table}.id`).onDelete("cascade");
}

export const ofIncident: Column = of("incident");
/** There is one row for each incident. */
export const keyOfIncident: Column = (column) => ofIncident(column).primaryKey();
