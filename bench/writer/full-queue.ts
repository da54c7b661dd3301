import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startWriter, writerMetrics } from "@whence/gateway";
import { openStorage, type Queue, type Storage, telemetryTopic } from "@whence/storage";
import { Registry } from "prom-client";
import { BatchMaker, eventsPerBatch } from "./batches.ts";
import { measureEngine } from "./engine.ts";
import type { FullQueueFigures } from "./figures.ts";
import { observedInserts, ProcessFigures } from "./process-figures.ts";

/** Measures, in a separate process, a writer on a full queue, and the engine alone on the same rows. */
const [directory = "", batches = ""] = process.argv.slice(2);
const deadlineMs = 120_000;

const storage = await openStorage({ dataDirectory: directory });
await fill(storage.queue, Number(batches));
const writer = await measureWriter(storage, Number(batches) * eventsPerBatch);
const figures: FullQueueFigures = { ...writer, engineMs: await measureEngine(join(directory, "events")) };
await storage.close();
process.send?.(figures);
process.disconnect?.();

/** Publishes batches as the gateway does. */
async function fill(queue: Queue, count: number): Promise<void> {
  const maker = new BatchMaker();
  for (let made = 0; made < count; made++) {
    const { body, ids } = maker.next();
    const header = JSON.stringify({ scope_id: "org_bench", received_at: new Date().toISOString() });
    await queue.publish(telemetryTopic, [{ id: ids[0] ?? "", body: `${header}\n${body}` }]);
  }
}

async function measureWriter({ queue, events }: Storage, rows: number): Promise<Omit<FullQueueFigures, "engineMs">> {
  const seen = { rows: 0, inserts: 0 };
  const observed = observedInserts(events, (stored) => {
    seen.rows += stored;
    seen.inserts += 1;
  });
  const process = new ProcessFigures();
  const begin = performance.now();
  const logger = { warn: console.error, error: console.error };
  const writing = startWriter({ queue, events: observed, logger, metrics: writerMetrics(new Registry()) });
  while (seen.rows < rows && performance.now() - begin < deadlineMs) await delay(10);
  const writerMs = performance.now() - begin;
  const used = process.end();
  await writing.stop();
  if (seen.rows < rows) throw new Error(`${seen.rows} of ${rows} rows were stored in ${deadlineMs} ms`);
  return { rows, writerMs, inserts: seen.inserts, ...used };
}
