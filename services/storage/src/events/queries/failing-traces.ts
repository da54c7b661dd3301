import { z } from "zod";
import type { FailingTrace, Span } from "../surroundings.ts";
import { bounded, inSpan, spanParameters } from "./activity.ts";
import type { Ask } from "./query.ts";

const rowSchema = z.object({ trace_id: z.string(), at_ms: z.coerce.number(), fingerprints: z.array(z.string()) });

/** Returns the traces in which some failures occurred. Reads only columns, no events. */
export async function failingTraces(
  ask: Ask,
  scope: string,
  filter: Span & { fingerprints: readonly string[]; limit: number },
): Promise<FailingTrace[]> {
  const rows = await ask(
    `SELECT trace_id, toUnixTimestamp64Milli(min(timestamp)) AS at_ms,
       arrayMap(one -> toString(one), groupUniqArray(fingerprint)) AS fingerprints
     FROM {database:Identifier}.events
     WHERE ${inSpan} AND trace_id != '' AND fingerprint IN {fingerprints:Array(String)}
     GROUP BY trace_id ORDER BY at_ms DESC, trace_id LIMIT {limit:UInt32} ${bounded}`,
    { ...spanParameters(scope, filter), fingerprints: filter.fingerprints, limit: filter.limit },
  );
  return rows.map((row) => {
    const { trace_id: traceId, at_ms, fingerprints } = rowSchema.parse(row);
    return { traceId, at: new Date(at_ms).toISOString(), fingerprints };
  });
}
