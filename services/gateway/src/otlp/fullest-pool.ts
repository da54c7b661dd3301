import { cutText } from "../mapping/bounded-data.ts";
import type { KeptPool } from "../telemetry/batch-message.ts";
import { textOf } from "./attribute.ts";
import { latestPoints } from "./latest-points.ts";
import { otlpLimits } from "./otlp-limits.ts";
import type { Metric } from "./requests.ts";

type Measure = "used" | "max" | "waiting";

/** The stable names of the semantic conventions, and those before them. */
const measures: ReadonlyMap<string, Measure> = new Map([
  ["db.client.connection.count", "used"],
  ["db.client.connection.max", "max"],
  ["db.client.connection.pending_requests", "waiting"],
  ["db.client.connections.usage", "used"],
  ["db.client.connections.max", "max"],
  ["db.client.connections.pending_requests", "waiting"],
]);
const nameAttributes = ["db.client.connection.pool.name", "db.client.connections.pool.name", "pool.name"];
const stateAttributes = ["db.client.connection.state", "db.client.connections.state", "state"];

/** A pool as it was at a time, in milliseconds since 1970. */
export interface MeasuredPool {
  readonly pool: KeptPool;
  readonly atMs: number;
}

/** Whether a metric is about pools. */
export function isOfPool(name: string): boolean {
  return measures.has(name);
}

/**
 * Returns the pool for which the most requests wait, or else the one with the largest share of its connections in use;
 * undefined when the metrics are about none.
 */
export function fullestPool(metrics: readonly Metric[]): MeasuredPool | undefined {
  const pools = new Map<string, { used: number; max: number; waiting: number }>();
  let atMs = 0;
  for (const metric of metrics) {
    const measure = measures.get(metric.name);
    if (!measure) continue;
    for (const { attributes, asInt, asDouble, timeUnixNano } of latestPoints(metric)) {
      const value = asInt ?? asDouble ?? 0;
      const isIdle = measure === "used" && textOf(attributes, ...stateAttributes) !== "used";
      if (isIdle || !Number.isFinite(value) || value < 0) continue;
      const name = cutText(textOf(attributes, ...nameAttributes) ?? "", otlpLimits.otlpPoolNameLengthMax);
      const pool = pools.get(name) ?? { used: 0, max: 0, waiting: 0 };
      pools.set(name, pool);
      pool[measure] += value;
      atMs = Math.max(atMs, timeUnixNano);
    }
  }
  const [fullest] = [...pools].toSorted(
    ([, left], [, right]) => right.waiting - left.waiting || shareUsed(right) - shareUsed(left),
  );
  return fullest && { pool: { name: fullest[0], ...fullest[1] }, atMs };
}

function shareUsed({ used, max }: Pick<KeptPool, "used" | "max">): number {
  return max > 0 ? used / max : 0;
}
