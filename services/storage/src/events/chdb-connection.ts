import { mkdir, rm, unlink, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import { drainPending, Session } from "chdb";
import { createChdbConnection } from "chdb/connection";
import { storageErrors } from "../errors.ts";
import type { ClickHouseConnection, Rows } from "./clickhouse-connection.ts";
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

/** The engine answers in threads of Node's pool, which has four: one is kept for inserts. */
const questionsAtOnceMax = 3;

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
  const connection = connect(path, engine);
  try {
    await emptyIncoming(path);
    return await openClickHouseEventStore(connection, options);
  } catch (error) {
    await connection.close();
    throw asUnavailable(error);
  }
}

function startEngine(path: string): Session {
  try {
    // The engine reads these in the path of a file as a pattern.
    if (/[*?{}]/.test(path)) throw new Error(`${path} has one of * ? { } in it: choose another directory`);
    return new Session(path, { connectionArgs: engineArguments });
  } catch (cause) {
    throw asUnavailable(cause);
  }
}

function connect(path: string, engine: Session): ClickHouseConnection {
  // The same directory, so the same engine. The cast: chdb is made for this option, and declares it against its own
  // copy of the client's types.
  const connection = createChdbConnection({ path }) as unknown as Connection;
  const client = createClient({
    connection,
    clickhouse_settings: { max_memory_usage: String(queryMemoryBytesMax) },
  });
  let inserts = 0;
  return {
    client,
    questionsAtOnce: Math.min(questionsAtOnceMax, availableParallelism()),
    async insert(rows) {
      const file = join(incoming(path), `${inserts++}.tsv`);
      try {
        await writeFile(file, Buffer.concat(rows.text));
        await client.command({ query: insertFrom(file, rows) });
      } finally {
        await unlink(file);
      }
    },
    async close() {
      await client.close();
      engine.close();
      await drainPending();
    },
  };
}

/**
 * Rows go through a file that lives for one insert: behind the statement's text in memory, the engine takes ten times as
 * long to find its way to them (measured: 15 µs a row of 1.5 kB against 1.4 µs).
 */
function insertFrom(file: string, { database, table, columns, settings }: Rows): string {
  const given = Object.entries(settings).map(([name, value]) => `${name} = ${literal(String(value))}`);
  return `INSERT INTO ${database}.${table} (${columns.join(", ")})
FROM INFILE ${literal(file)} SETTINGS ${given.join(", ")} FORMAT TabSeparated`;
}

function literal(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function incoming(path: string): string {
  return join(path, "incoming");
}

/** What a death left behind was never acknowledged: it is in the queue still. */
async function emptyIncoming(path: string): Promise<void> {
  await rm(incoming(path), { recursive: true, force: true });
  await mkdir(incoming(path), { recursive: true });
}

function asUnavailable(cause: unknown): Error {
  if (cause instanceof Error && "code" in cause && cause.code === "WHENCE_ERR_EVENTS_UNAVAILABLE") return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return storageErrors.create("WHENCE_ERR_EVENTS_UNAVAILABLE", ["open", message], { cause });
}
