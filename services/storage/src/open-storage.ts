import { join } from "node:path";
import type { ControlDb } from "./control/control-db.ts";
import { takeDataDirectory } from "./data-directory.ts";
import type { EventStore } from "./events/event-store.ts";
import type { Queue } from "./queue/queue.ts";

export interface StorageOptions {
  /** Made with mode 0700 when it is missing. One process at a time. */
  readonly dataDirectory: string;
  /** How long events are kept. 30 days unless told. */
  readonly retentionDays?: number;
}

/** The three ports. */
export interface Storage {
  readonly queue: Queue;
  readonly events: EventStore;
  readonly control: ControlDb;
  /** Closes all three and gives the data directory back. Once; again is the same. */
  close(): Promise<void>;
}

/**
 * Opens the embedded profile: everything in one directory, in this process. Rejects with
 * `WHENCE_ERR_DATA_DIRECTORY_IN_USE` while another process has the directory.
 */
export async function openStorage({ dataDirectory, retentionDays }: StorageOptions): Promise<Storage> {
  const directory = takeDataDirectory(dataDirectory);
  const opening = [
    openQueue(join(directory.path, "queue.sqlite")),
    openEvents(join(directory.path, "events"), retentionDays),
    openControl(join(directory.path, "control.sqlite")),
  ] as const;
  const closeAll = async (): Promise<void> => {
    for (const opened of await Promise.allSettled(opening)) {
      if (opened.status === "fulfilled") await opened.value.close();
    }
    directory.release();
  };
  try {
    const [queue, events, control] = await Promise.all(opening);
    let closed: Promise<void> | null = null;
    return {
      ...{ queue, events, control },
      close() {
        closed ??= closeAll();
        return closed;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

// Adapters are loaded when they are opened: importing this package must not cost the embedded engine's 150 MB.

async function openQueue(path: string): Promise<Queue> {
  const { openSqliteQueue } = await import("./queue/sqlite-queue.ts");
  return openSqliteQueue({ path });
}

async function openEvents(path: string, retentionDays: number | undefined): Promise<EventStore> {
  const { openEmbeddedEventStore } = await import("./events/chdb-connection.ts");
  return openEmbeddedEventStore({ path, ...(retentionDays === undefined ? {} : { retentionDays }) });
}

async function openControl(path: string): Promise<ControlDb> {
  const { openSqliteControlDb } = await import("./control/sqlite-control-db.ts");
  return openSqliteControlDb({ path });
}
