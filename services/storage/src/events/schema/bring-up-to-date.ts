import { setTimeout as delay } from "node:timers/promises";
import { type ClickHouseClient, ClickHouseError } from "@clickhouse/client";
import { z } from "zod";
import type { Ask } from "../queries/query.ts";
import {
  addColumns,
  changeExpiry,
  createDatabase,
  createTable,
  createView,
  fillFromStored,
  heldIn,
  type SchemaPlace,
  widenView,
} from "./statements.ts";
import { type TableDescription, tables } from "./tables.ts";
import { type ViewDescription, views } from "./views.ts";

/**
 * What ClickHouse answers to who comes second when two processes change a schema at once, or to who asks while it is
 * changing. Numbers of its src/Common/ErrorCodes.cpp.
 */
const raceCodes: ReadonlySet<string> = new Set([
  "44", // ILLEGAL_COLUMN: the column was added meanwhile
  "57", // TABLE_ALREADY_EXISTS
  "60", // UNKNOWN_TABLE: made on another replica, not here yet
  "81", // UNKNOWN_DATABASE: likewise
  "82", // DATABASE_ALREADY_EXISTS
  "159", // TIMEOUT_EXCEEDED: ON CLUSTER waits for every server
  "253", // REPLICA_ALREADY_EXISTS
  "342", // METADATA_MISMATCH: a replica has not seen the other's change yet
  "473", // DEADLOCK_AVOIDED
  "517", // CANNOT_ASSIGN_ALTER: another change is under way
  "999", // KEEPER_EXCEPTION
]);
/** What a statement of the schema computes, it computes once: compiling that first takes as long as all the rest. */
const uncompiled = { compile_expressions: 0, compile_aggregate_expressions: 0, compile_sort_description: 0 } as const;
const triesMax = 6;
const pauseMinMs = 50;

const tableSchema = z.object({ name: z.string(), engine_full: z.string() });
const columnSchema = z.object({ table: z.string(), name: z.string() });
const textSchema = z.object({ text: z.string() });

/** The existing schema, by table. */
interface Found {
  readonly engines: ReadonlyMap<string, string>;
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Makes the tables, columns and views that are missing, in place, keeping the rows. Any number of processes may do it at
 * once, beside others that read and write.
 *
 * The rule that lets two versions run side by side while a fleet is replaced, and lets the one before be started again:
 * - A column is only ever added, at the end, with a default that is right for the rows that are stored without it. None is removed, renamed or given another type. Inserts name their columns.
 * - A view is only ever widened, so a version alters one only when it lacks a column that it must fill.
 * - Order keys, partitions and engines never change: another need is another table, filled by a view of its own, and
 *   from what is stored before that view is made; then it is read.
 * - What a version no longer needs goes two releases later.
 */
export async function bringUpToDate(client: ClickHouseClient, ask: Ask, place: SchemaPlace): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await changeWhatDiffers(client, ask, place);
      return;
    } catch (error) {
      const isRace = error instanceof ClickHouseError && raceCodes.has(error.code);
      if (!isRace || tries === triesMax) throw error;
      await delay(pauseMinMs * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

async function changeWhatDiffers(client: ClickHouseClient, ask: Ask, place: SchemaPlace): Promise<void> {
  const run = async (queries: readonly string[]): Promise<void> => {
    for (const query of queries) await client.command({ query, clickhouse_settings: uncompiled });
  };
  await run([createDatabase(place)]);
  for (const table of tables) await run(createTable(table, place));
  const found = await look(ask);
  for (const table of tables) {
    await run(missingColumns(table, place, found));
    if (table.expiry === undefined) continue;
    const expiry = table.expiry(place.retentionDays);
    if (!(await hasExpiry(ask, heldIn(table.name, place), expiry, found))) {
      // Rows that are stored follow when their parts are merged; rewriting all of them now would cost a day's disk.
      await client.command({
        query: changeExpiry(table, expiry, place),
        clickhouse_settings: { ...uncompiled, materialize_ttl_after_modify: 0 },
      });
    }
  }
  for (const view of views) await run(missingView(view, place, found));
}

async function look(ask: Ask): Promise<Found> {
  const tableRows = await ask("SELECT name, engine_full FROM system.tables WHERE database = {database:String}", {});
  const columnRows = await ask("SELECT table, name FROM system.columns WHERE database = {database:String}", {});
  const columns = new Map<string, Set<string>>();
  for (const { table, name } of columnRows.map((row) => columnSchema.parse(row))) {
    columns.set(table, (columns.get(table) ?? new Set()).add(name));
  }
  return {
    engines: new Map(
      tableRows.map((row) => {
        const { name, engine_full } = tableSchema.parse(row);
        return [name, engine_full];
      }),
    ),
    columns,
  };
}

function missingColumns(table: TableDescription, place: SchemaPlace, found: Found): string[] {
  const there = [heldIn(table.name, place), table.name].map((name) => found.columns.get(name) ?? new Set());
  const missing = table.columns.filter(({ name }) => there.some((columns) => !columns.has(name)));
  return missing.length === 0 ? [] : addColumns(table, missing, place);
}

async function hasExpiry(ask: Ask, table: string, expiry: string, found: Found): Promise<boolean> {
  // Asked for in the server's own way of writing it.
  const [row] = await ask("SELECT formatQuerySingleLine({query:String}) AS text", { query: `SELECT ${expiry}` });
  const expression = textSchema.parse(row).text.replace(/^SELECT /, "");
  return found.engines.get(table)?.includes(`TTL ${expression}`) ?? false;
}

function missingView(view: ViewDescription, place: SchemaPlace, found: Found): string[] {
  const columns = found.columns.get(view.name);
  if (columns === undefined) {
    // On a cluster each shard would have to fill its own: there, what a view keeps begins with the view.
    const isCluster = place.cluster !== undefined;
    return isCluster ? [createView(view, place)] : [fillFromStored(view, place), createView(view, place)];
  }
  return Object.keys(view.columns).every((column) => columns.has(column)) ? [] : [widenView(view, place)];
}
