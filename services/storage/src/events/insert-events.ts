import { createHash } from "node:crypto";
import type { ClickHouseConnection } from "./clickhouse-connection.ts";
import type { StoredEvent, StoredLosses } from "./event-store.ts";
import { lossesColumns, ranges, rowColumns, toLossesRow, toRow } from "./to-row.ts";

/** Stores events as one insert. The same group again, after an answer got lost, is known by its token and dropped. */
export async function insertEvents(
  connection: ClickHouseConnection,
  database: string,
  events: readonly StoredEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const identified = events.map((stored) => ({ stored, identity: identityOf(stored) })).sort(byIdentity);
  await connection.insert({
    ...{ database, table: "events", columns: rowColumns },
    text: lines(identified.map(({ stored }) => toRow(stored))),
    settings: insertSettings(identified.map(({ identity }) => identity)),
  });
}

/** Stores losses that came without an event, likewise. */
export async function insertLosses(
  connection: ClickHouseConnection,
  database: string,
  losses: readonly StoredLosses[],
): Promise<void> {
  if (losses.length === 0) return;
  const rows = losses.map(toLossesRow).sort();
  await connection.insert({
    ...{ database, table: "losses", columns: lossesColumns },
    text: lines(rows),
    settings: insertSettings(rows),
  });
}

/**
 * Ids are the clients' own: another organization's event may have the same. An event that comes again with other losses
 * is no retry: dropped as one, it would take its losses with it.
 */
function identityOf({ scopeId, event, dropped }: StoredEvent): string {
  return `${scopeId} ${event.id} ${ranges(dropped)}`;
}

/** However a group is retried, it has one order: the engine drops it block by block. */
function byIdentity(left: { identity: string }, right: { identity: string }): number {
  if (left.identity === right.identity) return 0;
  return left.identity < right.identity ? -1 : 1;
}

function lines(rows: readonly string[]): Buffer {
  return Buffer.from(`${rows.join("\n")}\n`);
}

function insertSettings(identities: readonly string[]): Record<string, string | number> {
  return {
    // Resolved means stored, not buffered.
    async_insert: 0,
    // Rows of one batch may be days apart; `toRow` bounds how many.
    max_partitions_per_insert_block: 0,
    // The batch is small: a second thread costs memory and wins nothing. It also keeps the rows in their order, which
    // cuts a retried insert into the blocks of the first one.
    input_format_parallel_parsing: 0,
    insert_deduplicate: 1,
    insert_deduplication_token: createHash("sha256").update(identities.join("\n")).digest("hex"),
    // Without it a view that failed after its table took the rows would not see them in the retry either: the table
    // would drop them first. With it each rollup drops by itself what it has already.
    // https://clickhouse.com/docs/guides/developer/deduplicating-inserts-on-retries
    deduplicate_blocks_in_dependent_materialized_views: 1,
  };
}
