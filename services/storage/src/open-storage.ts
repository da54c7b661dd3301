import { join } from "node:path";
import type { ControlDb } from "./control/control-db.ts";
import { type DataDirectory, takeDataDirectory } from "./data-directory.ts";
import type { EventStore } from "./events/event-store.ts";
import type { Queue } from "./queue/queue.ts";

/** The location of the data. A port with a server uses it; the others use the data directory. */
export interface StorageOptions {
  /** Made with mode 0700 when it is missing, and only when a port needs it. One process at a time. */
  readonly dataDirectory: string;
  /** JetStream. */
  readonly nats?: { readonly servers: string; readonly replicas: number } | undefined;
  readonly clickHouse?: { readonly url: string; readonly cluster?: string | undefined } | undefined;
  readonly postgres?: { readonly url: string } | undefined;
  /** 32 bytes each: the first encrypts credentials, all of them open what is stored. */
  readonly secretKeys?: readonly Buffer[];
  /** How long events are kept. 30 days by default. */
  readonly retentionDays?: number | undefined;
  /** What may wait in the queue; a publish beyond it is refused. */
  readonly queueBytesMax?: number | undefined;
}

/** The three ports, all open. */
export interface Storage {
  readonly queue: Queue;
  readonly events: EventStore;
  readonly control: ControlDb;
  /** Closes all three and gives the data directory back. Once; again is the same. */
  close(): Promise<void>;
}

/** The three ports, each opened on first use: a gateway never opens the event store. */
export interface LazyStorage {
  queue(): Promise<Queue>;
  events(): Promise<EventStore>;
  control(): Promise<ControlDb>;
  /** Closes what was opened and gives the data directory back. Once; again is the same. */
  close(): Promise<void>;
}

/**
 * Opens all three ports. Rejects with `WHENCE_ERR_DATA_DIRECTORY_IN_USE` while another process has the directory, and
 * with the port's own error when its server cannot be reached.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { close, ...open } = lazyStorage(options);
  try {
    const [queue, events, control] = await Promise.all([open.queue(), open.events(), open.control()]);
    return { queue, events, control, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Like {@link openStorage}, with each port opened when it is first used. */
export function lazyStorage(options: StorageOptions): LazyStorage {
  let directory: DataDirectory | undefined;
  const opening: Promise<{ close(): Promise<void> }>[] = [];
  const file = (name: string): string => {
    directory ??= takeDataDirectory(options.dataDirectory);
    return join(directory.path, name);
  };
  const opened = <Port extends Queue | EventStore | ControlDb>(open: () => Promise<Port>): (() => Promise<Port>) =>
    once(() => {
      const port = open();
      opening.push(port);
      return port;
    });
  return {
    queue: opened(() => openQueue(options, file)),
    events: opened(() => openEvents(options, file)),
    control: opened(() => openControl(options, file)),
    close: once(async () => {
      for (const port of await Promise.allSettled(opening)) {
        if (port.status === "fulfilled") await port.value.close();
      }
      directory?.release();
    }),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

// Adapters are loaded when they are opened: importing this package must not cost the embedded engine's 150 MB.

type FileIn = (name: string) => string;

async function openQueue({ nats, queueBytesMax: maxBytes }: StorageOptions, file: FileIn): Promise<Queue> {
  const bounds = maxBytes === undefined ? {} : { maxBytes };
  if (nats) {
    const { openJetStreamQueue } = await import("./queue/jetstream-queue.ts");
    return openJetStreamQueue({ ...nats, ...bounds });
  }
  const path = file("queue.sqlite");
  const { openSqliteQueue } = await import("./queue/sqlite-queue.ts");
  return openSqliteQueue({ path, ...bounds });
}

async function openEvents({ clickHouse, retentionDays }: StorageOptions, file: FileIn): Promise<EventStore> {
  const retention = retentionDays === undefined ? {} : { retentionDays };
  if (clickHouse) {
    const { openClickHouseServerEventStore } = await import("./events/clickhouse-server.ts");
    const { url, cluster } = clickHouse;
    return openClickHouseServerEventStore({ url, ...(cluster === undefined ? {} : { cluster }), ...retention });
  }
  const path = file("events");
  const { openEmbeddedEventStore } = await import("./events/chdb-connection.ts");
  return openEmbeddedEventStore({ path, ...retention });
}

async function openControl({ postgres, secretKeys = [] }: StorageOptions, file: FileIn): Promise<ControlDb> {
  if (postgres) {
    const { openPostgresControlDb } = await import("./control/databases/postgres-control-db.ts");
    return openPostgresControlDb({ ...postgres, secretKeys });
  }
  const path = file("control.sqlite");
  const { openSqliteControlDb } = await import("./control/databases/sqlite-control-db.ts");
  return openSqliteControlDb({ path, secretKeys });
}
