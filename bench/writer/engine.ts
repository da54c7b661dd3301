import { Session } from "chdb";

const rowsPerInsert = 10_000;
const settings = { async_insert: 0, max_partitions_per_insert_block: 0, input_format_parallel_parsing: 0 };

/**
 * Measures the baseline: the engine's time, in milliseconds, to insert the rows of this directory's event store as
 * prebuilt bytes. Leaves the rows there.
 */
export async function measureEngine(directory: string): Promise<number> {
  // The same directory, so the same engine.
  const engine = new Session(directory);
  const lines = engine.query("SELECT * FROM whence.events", "JSONEachRow").trimEnd().split("\n");
  engine.query("TRUNCATE TABLE whence.events");
  let ms = 0;
  for (let from = 0; from < lines.length; from += rowsPerInsert) {
    const values = Buffer.from(lines.slice(from, from + rowsPerInsert).join("\n"));
    const begin = performance.now();
    await engine.insert({ table: "whence.events", format: "JSONEachRow", values, settings });
    ms += performance.now() - begin;
  }
  engine.close();
  return ms;
}
