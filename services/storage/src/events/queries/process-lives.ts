import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { ProcessLife } from "../event-store.ts";
import type { Ask } from "./query.ts";

const number = z.coerce.number();
const lifeSchema = z.object({
  instance: z.string(),
  service: z.string(),
  host: z.string(),
  first_ms: number,
  last_ms: number,
  ended: number,
});
const scopeSchema = z.object({ scope_id: z.string() });

/**
 * Returns the processes of an environment that reported since a moment, the most recently seen first. Reads their delivery accounts
 * and no events.
 */
export async function processLives(
  ask: Ask,
  scopeId: string,
  { env, since, limit }: { readonly env: string; readonly since: string; readonly limit: number },
): Promise<ProcessLife[]> {
  const rows = await ask(
    `SELECT
       instance, service, host,
       toUnixTimestamp64Milli(min(delivery.first_received_at)) AS first_ms,
       toUnixTimestamp64Milli(max(delivery.received_at)) AS last_ms,
       max(delivery.ended) AS ended
     FROM {database:Identifier}.deliveries AS delivery
     WHERE scope_id = {scope:String} AND env = {env:String}
     GROUP BY instance, service, host
     HAVING max(delivery.received_at) >= {since:DateTime64(3, 'UTC')}
     ORDER BY last_ms DESC, instance
     LIMIT {limit:UInt32}`,
    { scope: scopeId, env, since: clickHouseTime(Date.parse(since)), limit },
  );
  return rows.map((row) => {
    const { first_ms, last_ms, ended, ...life } = lifeSchema.parse(row);
    const firstSeenAt = new Date(first_ms).toISOString();
    return { ...life, firstSeenAt, lastSeenAt: new Date(last_ms).toISOString(), ended: ended === 1 };
  });
}

/** The scopes in which a process of the environment has reported since then. */
export async function activeScopes(ask: Ask, env: string, since: string): Promise<string[]> {
  const rows = await ask(
    `SELECT DISTINCT scope_id FROM {database:Identifier}.deliveries
     WHERE env = {env:String} AND received_at >= {since:DateTime64(3, 'UTC')} ORDER BY scope_id`,
    { env, since: clickHouseTime(Date.parse(since)) },
  );
  return rows.map((row) => scopeSchema.parse(row).scope_id);
}
