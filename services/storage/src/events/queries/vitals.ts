import { z } from "zod";
import type { InstanceVitals, VitalsFilter } from "../surroundings.ts";
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
  heap_first: number,
  heap_last: number,
  heap_limit: number,
  heap_slope: number,
  heap_fit: number,
  loop_max: number,
  loop_median: number,
  loop_last: number,
  uptime_s: number,
});

/** Processes by their heartbeats, each counted once. */
export async function vitals(ask: Ask, scope: string, filter: VitalsFilter): Promise<InstanceVitals[]> {
  const seconds =
    "toFloat64(toUnixTimestamp64Milli(timestamp) - toUnixTimestamp64Milli({from:DateTime64(3, 'UTC')})) / 1000";
  const rows = await ask(
    `SELECT service, instance, any(host) AS host, any(release) AS release, count() AS beats,
       toUnixTimestamp64Milli(min(timestamp)) AS first_ms, toUnixTimestamp64Milli(max(timestamp)) AS last_ms,
       argMin(used, timestamp) AS heap_first, argMax(used, timestamp) AS heap_last, max(heap_limit) AS heap_limit,
       ifNotFinite(simpleLinearRegression(${seconds}, used).1, 0) AS heap_slope,
       if(beats < 3, 0, ifNotFinite(corrStable(${seconds}, used), 0)) AS heap_fit,
       max(loop_delay_ms) AS loop_max, quantileExact(0.5)(loop_delay_ms) AS loop_median,
       argMax(loop_delay_ms, timestamp) AS loop_last, argMax(uptime_s, timestamp) AS uptime_s
     FROM (SELECT service, instance, timestamp, host, release, heap_limit, loop_delay_ms, uptime_s,
         if(vitals.heap_used > 0, vitals.heap_used, vitals.rss) AS used
       FROM {database:Identifier}.vitals AS vitals WHERE ${inSpan} AND service IN {services:Array(String)}
       LIMIT 1 BY service, instance, timestamp)
     GROUP BY service, instance ORDER BY last_ms DESC, service, instance LIMIT {limit:UInt32} ${bounded}`,
    { ...spanParameters(scope, filter), services: filter.services, limit: filter.limit },
  );
  return rows.map((row) => {
    const { service, instance, host, release, beats, ...read } = rowSchema.parse(row);
    return {
      service,
      instance,
      host,
      release,
      beats,
      firstAt: new Date(read.first_ms).toISOString(),
      lastAt: new Date(read.last_ms).toISOString(),
      heapFirst: read.heap_first,
      heapLast: read.heap_last,
      heapLimit: read.heap_limit,
      heapSlope: read.heap_slope,
      heapFit: read.heap_fit,
      loopDelayMax: read.loop_max,
      loopDelayMedian: read.loop_median,
      loopDelayLast: read.loop_last,
      uptimeSeconds: read.uptime_s,
    };
  });
}
