import { hash } from "node:crypto";
import type { ClickHouseConnection } from "./clickhouse-connection.ts";
import type { PreparedEvents, StoredEvent, StoredLosses } from "./event-store.ts";
import { lossesColumns, ranges, rowColumns, toLossesRow, toRows } from "./to-row.ts";

/** However events are retried, their rows have one order: the engine drops a retry block by block. */
export function prepareEvents(events: readonly StoredEvent[]): PreparedEvents {
  const identified = events.map((stored) => ({ stored, identity: identityOf(stored) })).sort(byIdentity);
  return {
    count: events.length,
    identity: digest(identified.map(({ identity }) => identity)),
    rows: lines(toRows(identified.map(({ stored }) => stored))),
  };
}

/** Stores events as one insert. The same parts again, after an answer got lost, are known by their token and dropped. */
export async function insertEvents(
  connection: ClickHouseConnection,
  database: string,
  parts: readonly PreparedEvents[],
): Promise<void> {
  const ordered = parts.filter(({ count }) => count > 0).sort(byIdentity);
  if (ordered.length === 0) return;
  await connection.insert({
    ...{ database, table: "events", columns: rowColumns },
    text: ordered.map(({ rows }) => rows),
    settings: insertSettings(ordered.map(({ identity }) => identity)),
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
    text: [lines(rows)],
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

function byIdentity(left: { identity: string }, right: { identity: string }): number {
  if (left.identity === right.identity) return 0;
  return left.identity < right.identity ? -1 : 1;
}

function lines(rows: readonly string[]): Buffer {
  return Buffer.from(`${rows.join("\n")}\n`);
}

function digest(identities: readonly string[]): string {
  return hash("sha256", identities.join("\n"));
}

function insertSettings(identities: readonly string[]): Record<string, string | number> {
  return {
    // Resolved means stored, not buffered.
    async_insert: 0,
    // Rows of one batch may be days apart; `toRows` bounds how many.
    max_partitions_per_insert_block: 0,
    // The batch is small: a second thread costs memory and wins nothing. It also keeps the rows in their order, which
    // cuts a retried insert into the blocks of the first one.
    input_format_parallel_parsing: 0,
    insert_deduplicate: 1,
    insert_deduplication_token: digest(identities),
    // Without it a view that failed after its table took the rows would not see them in the retry either: the table
    // would drop them first. With it each rollup drops by itself what it has already.
    // https://clickhouse.com/docs/guides/developer/deduplicating-inserts-on-retries
    deduplicate_blocks_in_dependent_materialized_views: 1,
  };
}
