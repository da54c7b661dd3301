import { type Kysely, sql } from "kysely";
import type { ControlTables } from "../tables.ts";

/** Free pages of 4 KiB that the file keeps: what is written next goes there. */
const keptPages = 4_096;
/** Given back in one step, of some 50 ms: others have their turn in between. */
const pagesAtOnce = 2_048;

/** Returns the free pages of a SQLite file to the disk, except {@link keptPages}. */
export async function reclaimSpace(db: Kysely<ControlTables>): Promise<void> {
  for (let free = await freePages(db); free > keptPages; ) {
    await sql`pragma incremental_vacuum(${sql.lit(Math.min(pagesAtOnce, free - keptPages))})`.execute(db);
    const left = await freePages(db);
    if (left >= free) return;
    free = left;
  }
}

async function freePages(db: Kysely<ControlTables>): Promise<number> {
  const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db);
  return rows[0]?.freelist_count ?? 0;
}
