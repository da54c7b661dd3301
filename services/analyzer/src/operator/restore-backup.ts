import type { Readable } from "node:stream";
import type { BackupRow, BackupStore, EventStore, StoredEvent } from "@whence/storage";
import { type BackupItem, readBackup } from "./read-backup.ts";

/** The events of one insert, and their size limit, because one event may have half a megabyte. */
const eventsAtOnce = 1_000;
const lengthAtOnce = 16 * 1_024 * 1_024;

export interface Restored {
  readonly rows: number;
  readonly events: number;
}

/**
 * Restores a backup into an empty service that isn't running. `open` is called twice: the file is read to its end and
 * checked before anything is written, then read again. The rows of the control database are one transaction, which ends
 * after all events are stored. An interrupted restore therefore leaves the control database empty and can be repeated: an
 * event that is already stored is stored once. Rejects as {@link readBackup} and `ControlDb.importRows` do.
 */
export async function restoreBackup(
  open: () => Readable,
  target: { readonly control: Pick<BackupStore, "importRows">; readonly events: Pick<EventStore, "insert"> },
): Promise<Restored> {
  const restored = await countItems(readBackup(open()));
  await target.control.importRows(rowsThenEvents(open, target.events));
  return restored;
}

async function countItems(items: AsyncIterable<BackupItem>): Promise<Restored> {
  const count = { row: 0, event: 0 };
  for await (const { kind } of items) count[kind] += 1;
  return { rows: count.row, events: count.event };
}

/** Yields the rows, and stores the events that follow them before it ends. */
async function* rowsThenEvents(open: () => Readable, events: Pick<EventStore, "insert">): AsyncGenerator<BackupRow> {
  let together: StoredEvent[] = [];
  let length = 0;
  for await (const item of readBackup(open())) {
    if (item.kind === "row") {
      yield item.row;
      continue;
    }
    together.push(item.event);
    length += item.length;
    if (together.length < eventsAtOnce && length < lengthAtOnce) continue;
    await events.insert(together);
    [together, length] = [[], 0];
  }
  await events.insert(together);
}
