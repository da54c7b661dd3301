import type { ColumnDescription, TableDescription } from "./tables.ts";
import type { ViewDescription } from "./views.ts";

/** The database, and the cluster if any, of the tables. */
export interface SchemaPlace {
  readonly database: string;
  /** A cluster that the server knows by this name: the tables are replicated, and read and written over all shards. */
  readonly cluster: string | undefined;
  /** How long the service keeps events, in days. */
  readonly retentionDays: number;
}

/** A part on disk is whole or absent after a power cut too: the writer acknowledges what it stored. */
const durable = "fsync_after_insert = 1, fsync_part_directory = 1";

/** The table that holds rows: on a cluster, each shard's own one under the distributed one of the plain name. */
export function heldIn(table: string, { cluster }: SchemaPlace): string {
  return cluster === undefined ? table : `${table}_local`;
}

export function createDatabase(place: SchemaPlace): string {
  return `CREATE DATABASE IF NOT EXISTS ${quoted(place.database)}${onCluster(place)}`;
}

/** The statements that create a table: one, or two on a cluster, for the local and the distributed table. */
export function createTable(table: TableDescription, place: SchemaPlace): string[] {
  const held = heldIn(table.name, place);
  const body = [...table.columns.map(declared), ...table.indexes].join(",\n  ");
  const create = `CREATE TABLE IF NOT EXISTS ${inPlace(held, place)} (\n  ${body}\n)\nENGINE = ${engineOf(table, place)}`;
  if (place.cluster === undefined) return [create];
  const shards = [place.cluster, place.database, held].map((argument) => `'${argument}'`).join(", ");
  return [
    create,
    `CREATE TABLE IF NOT EXISTS ${inPlace(table.name, place)} (\n  ${table.columns.map(declared).join(",\n  ")}\n)
ENGINE = Distributed(${shards}, ${table.shardBy})`,
  ];
}

/** The statement that creates a view on the local tables: each shard aggregates its own events. */
export function createView(view: ViewDescription, place: SchemaPlace): string {
  const to = `${quoted(place.database)}.${heldIn(view.to, place)}`;
  return `CREATE MATERIALIZED VIEW IF NOT EXISTS ${inPlace(view.name, place)} TO ${to} AS\n${viewQuery(view, place)}`;
}

export function widenView(view: ViewDescription, place: SchemaPlace): string {
  return `ALTER TABLE ${inPlace(view.name, place)} MODIFY QUERY\n${viewQuery(view, place)}`;
}

/** Fills a rollup from the events stored before its view was there; again does no harm, since its states are sets. */
export function fillFromStored(view: ViewDescription, place: SchemaPlace): string {
  const to = `${quoted(place.database)}.${heldIn(view.to, place)}`;
  return `INSERT INTO ${to} (${Object.keys(view.columns).join(", ")})\n${viewQuery(view, place)}`;
}

/** On a cluster for both tables of the name; the one that holds rows first, since the other asks it for them. */
export function addColumns(
  table: TableDescription,
  columns: readonly ColumnDescription[],
  place: SchemaPlace,
): string[] {
  const added = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${declared(column)}`).join(",\n  ");
  const names = new Set([heldIn(table.name, place), table.name]);
  return [...names].map((name) => `ALTER TABLE ${inPlace(name, place)}\n  ${added}`);
}

export function changeExpiry(table: TableDescription, expiry: string, place: SchemaPlace): string {
  return `ALTER TABLE ${inPlace(heldIn(table.name, place), place)} MODIFY TTL ${expiry}`;
}

/** The statement that sets the retention of stored rows of `{scope:String}` to `{days:UInt32}`. */
export function retainScope(table: TableDescription, place: SchemaPlace): string {
  const isRollup = table.columns.some((column) => column.name === "service_retention");
  const [set, differs] = isRollup ? [", service_retention = 0", " OR service_retention = 1"] : ["", ""];
  return `ALTER TABLE ${inPlace(heldIn(table.name, place), place)}
UPDATE retention_days = {days:UInt32}${set}
WHERE scope_id = {scope:String} AND (retention_days != {days:UInt32}${differs})`;
}

/**
 * The statement that hides rows of `{scope:String}` received before `{before:DateTime64(3, 'UTC')}`, of
 * `{service:String}` or of all services.
 */
export function hideRows(table: TableDescription, place: SchemaPlace, ofService: boolean): string {
  const hasService = table.columns.some((column) => column.name === "service");
  const isOfService = hasService
    ? "service = {service:String}"
    : "has(finalizeAggregation(services), {service:String})";
  return `DELETE FROM ${inPlace(heldIn(table.name, place), place)}
WHERE scope_id = {scope:String} AND received_at < {before:DateTime64(3, 'UTC')}${ofService ? ` AND ${isOfService}` : ""}`;
}

/** The statement that deletes hidden rows from the disk, in the background. */
export function dropHiddenRows(table: TableDescription, place: SchemaPlace): string {
  return `ALTER TABLE ${inPlace(heldIn(table.name, place), place)} APPLY DELETED MASK`;
}

function viewQuery(view: ViewDescription, place: SchemaPlace): string {
  const columns = Object.entries(view.columns).map(([column, expression]) => `${expression} AS ${column}`);
  const where = view.where === undefined ? "" : `\nWHERE ${view.where}`;
  const groups = view.groupBy.length === 0 ? "" : `\nGROUP BY ${view.groupBy.join(", ")}`;
  return `SELECT\n  ${columns.join(",\n  ")}
FROM ${quoted(place.database)}.${heldIn(view.from, place)} AS event${where}${groups}`;
}

function engineOf(table: TableDescription, place: SchemaPlace): string {
  const { engine, greatest, partitionBy, orderBy, expiry } = table;
  if (expiry === undefined) return engine;
  const partition = partitionBy === undefined ? "" : `\nPARTITION BY ${partitionBy}`;
  const kept = greatest === undefined ? [] : [greatest];
  const isAlone = place.cluster === undefined;
  const parameters = isAlone ? kept : [replica(table, place), ...kept];
  const called = parameters.length === 0 ? "" : `(${parameters.join(", ")})`;
  return `${isAlone ? "" : "Replicated"}${engine}${called}${partition}
ORDER BY (${orderBy.join(", ")})
TTL ${expiry(place.retentionDays)}
SETTINGS ${durable}`;
}

/** {shard} and {replica} are macros of each server's own configuration. */
function replica({ name }: TableDescription, { database }: SchemaPlace): string {
  return `'/clickhouse/tables/{shard}/${database}/${name}', '{replica}'`;
}

function declared({ name, type, default: value, codec }: ColumnDescription): string {
  const given = value === undefined ? "" : ` DEFAULT ${value}`;
  const packed = codec === undefined ? "" : ` CODEC(${codec})`;
  return `${name} ${type}${given}${packed}`;
}

function inPlace(table: string, place: SchemaPlace): string {
  return `${quoted(place.database)}.${table}${onCluster(place)}`;
}

function onCluster({ cluster }: SchemaPlace): string {
  return cluster === undefined ? "" : ` ON CLUSTER ${quoted(cluster)}`;
}

/** Names come from the configuration, which lets through letters, digits, `_` and `-`. */
function quoted(name: string): string {
  return `\`${name}\``;
}
