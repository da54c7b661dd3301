import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { FailureHour, FailuresSpan } from "../event-store.ts";
import type { Ask } from "./query.ts";

const rowSchema = z.object({
  fingerprint: z.string(),
  env: z.string(),
  hour_s: z.coerce.number(),
  events: z.coerce.number(),
});

/** Events of several failures in each hour and environment in a span, the oldest first. */
export async function failuresByHour(
  ask: Ask,
  scope: string,
  { fingerprints, from, to }: FailuresSpan,
): Promise<FailureHour[]> {
  if (fingerprints.length === 0) return [];
  const rows = await ask(
    `SELECT fingerprint, env, toUnixTimestamp(toStartOfHour(timestamp)) AS hour_s, uniqExact(id_hash) AS events
     FROM {database:Identifier}.events
     WHERE scope_id = {scope:String} AND fingerprint IN {fingerprints:Array(String)}
       AND timestamp >= {from:DateTime64(3, 'UTC')} AND timestamp < {to:DateTime64(3, 'UTC')}
     GROUP BY fingerprint, env, hour_s ORDER BY hour_s, fingerprint, env`,
    { scope, fingerprints, from: clickHouseTime(Date.parse(from)), to: clickHouseTime(Date.parse(to)) },
  );
  return rows.map((row) => {
    const { hour_s, ...rest } = rowSchema.parse(row);
    return { ...rest, hour: new Date(hour_s * 1_000).toISOString() };
  });
}
