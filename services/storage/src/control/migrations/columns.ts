import type { ColumnDefinitionBuilder } from "kysely";

/** A column's constraints. */
export type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

export const required: Column = (column) => column.notNull();
export const unique: Column = (column) => column.notNull().unique();
export const key: Column = (column) => column.notNull().primaryKey();
export const zero: Column = (column) => column.notNull().defaultTo(0);

export const empty: Column = (column) => column.notNull().defaultTo("");

/** A reference to a row of `table`, deleted with it. */
export function of(table: string): Column {
  return (column) => column.notNull().references(`${table}.id`).onDelete("cascade");
}

export const ofIncident: Column = of("incident");
/** The primary key of a table with one row per incident. */
export const keyOfIncident: Column = (column) => ofIncident(column).primaryKey();
