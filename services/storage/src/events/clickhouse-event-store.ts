import type { ClickHouseClient } from "@clickhouse/client";
import { storageErrors } from "../errors.ts";
import type { EventStore, ScopedEvents, StoredEvent } from "./event-store.ts";
import { failureByMinute } from "./queries/failure-by-minute.ts";
import { failureTotals } from "./queries/failure-totals.ts";
import { findEvent, findEvents } from "./queries/find-events.ts";
import { type Ask, askThrough } from "./queries/query.ts";
import { retainedTables, retention, schemaStatements } from "./schema.ts";
import { toRow } from "./to-row.ts";

const defaultRetentionDays = 30;

export interface ClickHouseEventStoreOptions {
  /** Over any connection: the embedded engine's, a server's, a cluster's. Closed with the store. */
  readonly client: ClickHouseClient;
  /** How long events are kept after they were received. 30 unless told. */
  readonly retentionDays?: number;
}

/** The event store in ClickHouse: makes its tables when they are missing, and follows a changed retention. */
export async function openClickHouseEventStore({
  client,
  retentionDays = defaultRetentionDays,
}: ClickHouseEventStoreOptions): Promise<EventStore> {
  const ask = askThrough(client);
  await reported("open", async () => {
    for (const query of schemaStatements(retentionDays)) await client.command({ query });
    await followRetention(client, ask, retentionDays);
  });
  return {
    insert: (events) => reported("store events", () => insert(client, events)),
    forScope: (scopeId) => scopedEvents(ask, scopeId),
    close: () => reported("close", () => client.close()),
  };
}

function scopedEvents(ask: Ask, scopeId: string): ScopedEvents {
  return {
    event: (id) => reported("find an event", () => findEvent(ask, scopeId, id)),
    find: (filter) => reported("find events", () => findEvents(ask, scopeId, filter)),
    failure: (fingerprint) => reported("count a failure", () => failureTotals(ask, scopeId, fingerprint)),
    failureByMinute: (fingerprint, from, to) =>
      reported("count a failure by minute", () => failureByMinute(ask, scopeId, fingerprint, from, to)),
  };
}

async function insert(client: ClickHouseClient, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  await client.insert({
    table: "whence.events",
    values: events.map(toRow),
    format: "JSONEachRow",
    clickhouse_settings: {
      // Resolved means stored, not buffered.
      async_insert: 0,
      // Rows of one batch may be days apart; `toRow` bounds how many.
      max_partitions_per_insert_block: "0",
      // The batch is small: a second thread costs memory and wins nothing.
      input_format_parallel_parsing: 0,
    },
  });
}

async function followRetention(client: ClickHouseClient, ask: Ask, retentionDays: number): Promise<void> {
  const wanted = retention("received_at", retentionDays);
  const outdated = await ask(
    `SELECT name FROM system.tables
     WHERE database = 'whence' AND name IN {names:Array(String)} AND position(engine_full, {ttl:String}) = 0`,
    { names: retainedTables, ttl: wanted },
  );
  for (const table of retainedTables) {
    const isOutdated = outdated.some((row) => JSON.stringify(row) === JSON.stringify({ name: table }));
    if (isOutdated) {
      await client.command({
        query: `ALTER TABLE whence.${table} MODIFY TTL ${wanted}`,
        clickhouse_settings: { materialize_ttl_after_modify: 0 },
      });
    }
  }
}

async function reported<Value>(what: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw storageErrors.create("WHENCE_ERR_EVENTS_UNAVAILABLE", [what, message], { cause });
  }
}
