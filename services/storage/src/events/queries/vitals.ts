import { z } from "zod";
import type { InstanceVitals, MemoryVitals, VitalsFilter } from "../surroundings.ts";
import { bounded, inSpan, spanParameters } from "./activity.ts";
import type { Ask } from "./query.ts";

const number = z.coerce.number();
const rowSchema = z.object({
  service: z.string(),
  instance: z.string(),
  host: z.string(),
  release: z.string(),
  beats: number,
  first_ms: number,
  last_ms: number,
  is_heap: number,
  memory_beats: number,
  memory_ms: number,
  memory_first: number,
  memory_last: number,
  memory_limit: number,
  memory_slope: number,
  memory_fit: number,
  loop_max: number,
  loop_median: number,
  loop_last: number,
  uptime_s: number,
});

type Row = z.output<typeof rowSchema>;

/**
 * Processes by their heartbeats, each counted once. A heartbeat of a blocked process reports the memory of the process,
 * but not its heap.
 */
export async function vitals(ask: Ask, scope: string, filter: VitalsFilter): Promise<InstanceVitals[]> {
  const seconds =
    "toFloat64(toUnixTimestamp64Milli(timestamp) - toUnixTimestamp64Milli({from:DateTime64(3, 'UTC')})) / 1000";
  const rows = await ask(
    `SELECT service, instance, any(host) AS host, any(release) AS release, count() AS beats,
       toUnixTimestamp64Milli(min(timestamp)) AS first_ms, toUnixTimestamp64Milli(max(timestamp)) AS last_ms,
       max(heap) > 0 AS is_heap, countIf(used > 0) AS memory_beats,
       toUnixTimestamp64Milli(minIf(timestamp, used > 0)) AS memory_ms,
       argMinIf(used, timestamp, used > 0) AS memory_first, argMaxIf(used, timestamp, used > 0) AS memory_last,
       max(heap_limit) AS memory_limit,
       ifNotFinite(simpleLinearRegressionIf(${seconds}, used, used > 0).1, 0) AS memory_slope,
       if(memory_beats < 3, 0, ifNotFinite(corrStableIf(${seconds}, used, used > 0), 0)) AS memory_fit,
       max(loop_delay_ms) AS loop_max, quantileExact(0.5)(loop_delay_ms) AS loop_median,
       argMax(loop_delay_ms, timestamp) AS loop_last, argMax(uptime_s, timestamp) AS uptime_s
     FROM (SELECT *, if(max(heap) OVER (PARTITION BY service, instance) > 0, heap, rss) AS used
       FROM (SELECT service, instance, timestamp, host, release, heap_limit, loop_delay_ms, uptime_s, rss,
           vitals.heap_used AS heap
         FROM {database:Identifier}.vitals AS vitals WHERE ${inSpan} AND service IN {services:Array(String)}
         LIMIT 1 BY service, instance, timestamp))
     GROUP BY service, instance ORDER BY last_ms DESC, service, instance LIMIT {limit:UInt32} ${bounded}`,
    { ...spanParameters(scope, filter), services: filter.services, limit: filter.limit },
  );
  return rows.map((row) => {
    const read = rowSchema.parse(row);
    const { service, instance, host, release, beats } = read;
    return {
      service,
      instance,
      host,
      release,
      beats,
      firstAt: new Date(read.first_ms).toISOString(),
      lastAt: new Date(read.last_ms).toISOString(),
      memory: memoryOf(read),
      loopDelayMax: read.loop_max,
      loopDelayMedian: read.loop_median,
      loopDelayLast: read.loop_last,
      uptimeSeconds: read.uptime_s,
    };
  });
}

function memoryOf(row: Row): MemoryVitals | null {
  if (row.memory_beats === 0) return null;
  return {
    of: row.is_heap === 1 ? "heap" : "process",
    beats: row.memory_beats,
    since: new Date(row.memory_ms).toISOString(),
    firstBytes: row.memory_first,
    lastBytes: row.memory_last,
    limitBytes: row.is_heap === 1 && row.memory_limit > 0 ? row.memory_limit : null,
    slope: row.memory_slope,
    fit: row.memory_fit,
  };
}
