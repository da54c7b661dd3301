import { z } from "zod";
import type { PoolReading } from "../readings.ts";
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
  cpu_last: number,
  cpu_median: number,
  pool_name: z.string(),
  pool_used: number,
  pool_max: number,
  pool_waiting: number,
});

type Row = z.output<typeof rowSchema>;

/** How long a report about a pool or about processors counts: later, they may be free again. */
const recentSeconds = 5 * 60;

/**
 * Processes by their heartbeats, each counted once. A heartbeat of a blocked process reports the memory of the process,
 * but not its heap.
 */
export async function vitals(ask: Ask, scope: string, filter: VitalsFilter): Promise<InstanceVitals[]> {
  const seconds =
    "toFloat64(toUnixTimestamp64Milli(timestamp) - toUnixTimestamp64Milli({from:DateTime64(3, 'UTC')})) / 1000";
  const recent = "timestamp >= {to:DateTime64(3, 'UTC')} - toIntervalSecond({recent:UInt32})";
  const fullest = (column: string): string => `argMaxIf(${column}, fullness, ${recent})`;
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
       argMax(loop_delay_ms, timestamp) AS loop_last, argMax(uptime_s, timestamp) AS uptime_s,
       argMaxIf(cpu, timestamp, cpu > 0 AND ${recent}) AS cpu_last,
       ifNotFinite(quantileExactIf(0.5)(cpu, cpu > 0), 0) AS cpu_median,
       ${fullest("pool")} AS pool_name, ${fullest("used_of_pool")} AS pool_used, ${fullest("max_of_pool")} AS pool_max,
       ${fullest("waiting_for_pool")} AS pool_waiting
     FROM (SELECT *, (waiting_for_pool, if(max_of_pool > 0, used_of_pool / max_of_pool, 0)) AS fullness, if(max(heap) OVER (PARTITION BY service, instance) > 0, heap, rss) AS used
       FROM (SELECT service, instance, timestamp, host, release, heap_limit, loop_delay_ms, uptime_s, rss,
           vitals.heap_used AS heap, cpu, pool, pool_used AS used_of_pool, pool_max AS max_of_pool,
           pool_waiting AS waiting_for_pool
         FROM {database:Identifier}.vitals AS vitals WHERE ${inSpan} AND service IN {services:Array(String)}
         LIMIT 1 BY service, instance, timestamp))
     GROUP BY service, instance ORDER BY last_ms DESC, service, instance LIMIT {limit:UInt32} ${bounded}`,
    { ...spanParameters(scope, filter), services: filter.services, limit: filter.limit, recent: recentSeconds },
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
      cpu: read.cpu_last > 0 ? { last: read.cpu_last, median: read.cpu_median } : null,
      pool: poolOf(read),
    };
  });
}

function poolOf({ pool_name: name, pool_used: used, pool_max: max, pool_waiting: waiting }: Row): PoolReading | null {
  return used + max + waiting > 0 ? { name, used, max, waiting } : null;
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
