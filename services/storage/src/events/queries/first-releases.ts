import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { ReleaseStart } from "../event-store.ts";
import type { Ask } from "./query.ts";

const releasesMax = 50;
const rowSchema = z.object({ release: z.string(), first_ms: z.coerce.number() });

/** When each release of a service was first seen in a span: the latest releases, the earliest of them first. */
export async function firstReleases(
  ask: Ask,
  scopeId: string,
  service: string,
  from: string,
  to: string,
): Promise<ReleaseStart[]> {
  const rows = await ask(
    `SELECT toString(release) AS release, toUnixTimestamp64Milli(min(timestamp)) AS first_ms
     FROM {database:Identifier}.events
     WHERE scope_id = {scope:String} AND service = {service:String} AND release != ''
       AND timestamp >= {from:DateTime64(3, 'UTC')} AND timestamp < {to:DateTime64(3, 'UTC')}
     GROUP BY release ORDER BY first_ms DESC LIMIT ${releasesMax}`,
    { scope: scopeId, service, from: clickHouseTime(Date.parse(from)), to: clickHouseTime(Date.parse(to)) },
  );
  return rows
    .map((row) => rowSchema.parse(row))
    .map(({ release, first_ms }) => ({ release, firstSeen: new Date(first_ms).toISOString() }))
    .reverse();
}
