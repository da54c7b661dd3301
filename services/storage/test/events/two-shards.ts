import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type ClickHouseClient, createClient } from "@clickhouse/client";
import { drainPending, Session } from "chdb";
import { createChdbConnection } from "chdb/connection";
import { openClickHouseEventStore } from "../../src/events/clickhouse-event-store.ts";
import type { EventStore } from "../../src/index.ts";

const cluster = "fleet";
const port = 9_000;

/**
 * A store whose tables are distributed over a cluster of two shards, both of them the embedded engine itself: each row
 * is stored by one and found in both. So every question goes the way that it goes on a cluster, and has to bear copies.
 * The engine has no Keeper: `ON CLUSTER` and replication are left out of the statements.
 */
export async function openOnTwoShards(path: string): Promise<EventStore> {
  const configuration = join(path, "fleet.xml");
  const shard = `<shard><internal_replication>true</internal_replication>
    <replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`;
  // A shard on the server's own port is the server itself; no other process listens there.
  writeFileSync(
    configuration,
    `<clickhouse><tcp_port>${port}</tcp_port><remote_servers><${cluster}>${shard}${shard}</${cluster}></remote_servers></clickhouse>`,
  );
  const data = join(path, "data");
  const engine = new Session(data, { connectionArgs: [`--config-file=${configuration}`] });
  const connection: unknown = createChdbConnection({ path: data });
  const client = createClient({
    connection: connection as NonNullable<NonNullable<Parameters<typeof createClient>[0]>["connection"]>,
    clickhouse_settings: { distributed_foreground_insert: 1 },
  });
  return openClickHouseEventStore(
    {
      client: Object.assign(Object.create(client) as ClickHouseClient, {
        command: (params: Parameters<ClickHouseClient["command"]>[0]) =>
          client.command({ ...params, query: onOneServer(params.query) }),
      }),
      questionsAtOnce: 3,
      async insert({ database, table, columns: [first = "", ...others], text, settings }) {
        await client.insert({
          table: `${database}.${table}`,
          columns: [first, ...others],
          values: Readable.from(text, { objectMode: false }),
          format: "TabSeparated",
          clickhouse_settings: settings,
        });
      },
      async close() {
        await client.close();
        engine.close();
        await drainPending();
      },
    },
    { cluster, retentionDays: 3_650 },
  );
}

/** The statement without what needs a Keeper. */
function onOneServer(statement: string): string {
  return statement
    .replace(/ ON CLUSTER `\w+`/, "")
    .replace(/Replicated(\w+MergeTree)\('[^)]*'\)/, "$1")
    .replace(/Replicated(\w+MergeTree)\('[^)]*', (\w+)\)/, "$1($2)");
}
