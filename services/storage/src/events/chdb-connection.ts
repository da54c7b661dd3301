import { createClient } from "@clickhouse/client";
import { drainPending, Session } from "chdb";
import { createChdbConnection } from "chdb/connection";
import { storageErrors } from "../errors.ts";
import { openClickHouseEventStore } from "./clickhouse-event-store.ts";
import type { EventStore } from "./event-store.ts";

/**
 * Bounds of the engine's caches, in bytes. Its defaults are a database server's (5 GiB of marks, 5 GiB of primary
 * keys); this one shares a process, and grows with the data up to these and no further.
 */
const engineArguments = [
  `--mark_cache_size=${32 * 1_048_576}`,
  `--index_mark_cache_size=${8 * 1_048_576}`,
  `--primary_index_cache_size=${32 * 1_048_576}`,
  `--query_condition_cache_size=${4 * 1_048_576}`,
  `--compiled_expression_cache_size=${4 * 1_048_576}`,
];

/** A question that would need more fails, instead of taking the process's other work down with it. */
const queryMemoryBytesMax = 512 * 1_048_576;

export interface EmbeddedEventStoreOptions {
  /** The directory; made when it is missing. */
  readonly path: string;
  readonly retentionDays?: number;
}

type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>["connection"]>;

/**
 * The event store on ClickHouse in this process. libchdb binds one directory per process: a second one at the same time
 * is refused.
 */
export async function openEmbeddedEventStore({ path, ...options }: EmbeddedEventStoreOptions): Promise<EventStore> {
  const engine = startEngine(path);
  // The same directory, so the same engine. The cast: chdb is made for this option, and declares it against its own
  // copy of the client's types.
  const connection = createChdbConnection({ path }) as unknown as Connection;
  const client = createClient({
    connection,
    clickhouse_settings: { max_memory_usage: String(queryMemoryBytesMax) },
  });
  const stopEngine = async (): Promise<void> => {
    engine.close();
    await drainPending();
  };
  try {
    const store = await openClickHouseEventStore({ client, ...options });
    return { ...store, close: () => store.close().then(stopEngine) };
  } catch (error) {
    await client.close();
    await stopEngine();
    throw error;
  }
}

function startEngine(path: string): Session {
  try {
    return new Session(path, { connectionArgs: engineArguments });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw storageErrors.create("WHENCE_ERR_EVENTS_UNAVAILABLE", ["open", message], { cause });
  }
}
