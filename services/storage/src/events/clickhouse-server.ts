import { Readable } from "node:stream";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { minuteMs } from "@whence/protocol";
import type { ClickHouseConnection } from "./clickhouse-connection.ts";
import { type ClickHouseEventStoreOptions, openClickHouseEventStore } from "./clickhouse-event-store.ts";
import type { EventStore } from "./event-store.ts";

/** An insert may wait for a merge, and a query may read a month of events. Past this, no answer is coming. */
const requestTimeoutMs = minuteMs;
/** A writer has one insert under way, an analyzer some questions for each investigation. */
const openConnectionsMax = 16;
/** The other connections are for inserts and for whether the server answers. */
const questionsAtOnce = 12;
/** Below the server's own `keep_alive_timeout` (10 s), so that no request meets a socket that is being closed. */
const idleSocketMs = 5_000;

/**
 * How a cluster takes rows and answers.
 *
 * Written: acknowledged by most replicas of the shard (`insert_quorum`), so that what the queue forgets outlives the
 * loss of one of three; of two, writes wait in the queue while one is down. Distributed tables pass rows on before they
 * answer (`distributed_foreground_insert`), instead of queueing them on one server's disk.
 * https://clickhouse.com/docs/operations/settings/settings#insert_quorum
 *
 * Read: `select_sequential_consistency` would need quorum inserts one at a time (`insert_quorum_parallel = 0`), and many
 * writers would refuse each other. Instead everybody reads and writes the first healthy replica of each shard, which
 * has what was acknowledged; the others are there for when it is lost, and then some milliseconds behind at worst.
 * https://clickhouse.com/docs/operations/settings/settings#select_sequential_consistency
 */
const clusterSettings = {
  insert_quorum: "auto",
  insert_quorum_timeout: requestTimeoutMs / 2,
  distributed_foreground_insert: 1,
  load_balancing: "in_order",
  prefer_localhost_replica: 0,
} as const;

export interface ClickHouseServerOptions extends ClickHouseEventStoreOptions {
  /** `http://` or `https://`, with user and password where they are needed, and a database as its path. */
  readonly url: string;
}

/** The event store on a ClickHouse server, or on a cluster through one of its servers or a balancer before them. */
export async function openClickHouseServerEventStore({
  url,
  ...options
}: ClickHouseServerOptions): Promise<EventStore> {
  const address = new URL(url);
  const path = decodeURIComponent(address.pathname.slice(1));
  // The client would name the database in each request, those that make it included.
  address.pathname = "";
  const connection = connect(address, options.cluster !== undefined);
  try {
    return await openClickHouseEventStore(connection, { ...(path !== "" && { database: path }), ...options });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function connect(url: URL, isCluster: boolean): ClickHouseConnection {
  const client = createClient({
    url,
    application: "whence",
    // Its errors reject, and the caller logs them.
    log: { level: ClickHouseLogLevel.OFF },
    request_timeout: requestTimeoutMs,
    max_open_connections: openConnectionsMax,
    keep_alive: { enabled: true, idle_socket_ttl: idleSocketMs, eagerly_destroy_stale_sockets: true },
    // A tenth of gzip's processor time for the same ratio; ClickHouse takes it as `Content-Encoding`.
    compression: { request: { codec: "zstd", level: 1 }, response: true },
    clickhouse_settings: isCluster ? clusterSettings : {},
  });
  return {
    client,
    questionsAtOnce,
    async insert({ database, table, columns: [first, ...others], text, settings }) {
      if (first === undefined) return;
      await client.insert({
        table: `${database}.${table}`,
        columns: [first, ...others],
        values: Readable.from(text, { objectMode: false }),
        format: "TabSeparated",
        clickhouse_settings: settings,
      });
    },
    close: () => client.close(),
  };
}
