import { z } from "zod";
import type { Crash, ServiceSpan } from "../service-telemetry.ts";
import { bounded, inWindow } from "./activity.ts";
import type { Ask } from "./query.ts";
import { serviceParameters } from "./service-course.ts";

const rowSchema = z.object({ instance: z.string(), crashed_ms: z.coerce.number() });

/**
 * The query of processes whose exception ended them: critical and unhandled, which is how clients send it, and without
 * a heartbeat that was sent later.
 */
export function crashed(condition: string): string {
  return `SELECT instance, max(fatal_ms) AS crashed_ms FROM (
    SELECT instance, toUnixTimestamp64Milli(max(timestamp)) AS fatal_ms, 0 AS beat_ms
    FROM {database:Identifier}.events
    WHERE ${condition} AND type = 'exception' AND level = 'critical'
      AND JSONExtractBool(payload, 'event', 'mechanism', 'handled') = 0
    GROUP BY instance
    UNION ALL
    SELECT instance, 0 AS fatal_ms, toUnixTimestamp64Milli(max(timestamp)) AS beat_ms
    FROM {database:Identifier}.vitals WHERE ${condition} GROUP BY instance
  )
  GROUP BY instance HAVING crashed_ms > 0 AND crashed_ms >= max(beat_ms)`;
}

/** Those of some processes that crashed, and when. */
export async function crashes(
  ask: Ask,
  scope: string,
  { instances, ...span }: ServiceSpan & { readonly instances: readonly string[] },
): Promise<Crash[]> {
  if (instances.length === 0) return [];
  const rows = await ask(`${crashed(`${inWindow} AND instance IN {instances:Array(String)}`)} ${bounded}`, {
    ...serviceParameters(scope, span),
    instances,
  });
  return rows.map((row) => {
    const { instance, crashed_ms } = rowSchema.parse(row);
    return { instance, at: new Date(crashed_ms).toISOString() };
  });
}
