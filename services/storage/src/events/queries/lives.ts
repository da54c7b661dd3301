import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { InstanceLife, LivesFilter, ReleaseLife } from "../surroundings.ts";
import { bounded } from "./activity.ts";
import type { Ask } from "./query.ts";

const time = z.coerce.number().transform((ms) => new Date(ms).toISOString());
const lifeSchema = z
  .object({ service: z.string(), instance: z.string(), host: z.string(), release: z.string() })
  .extend({ first_ms: time, last_ms: time, ended: z.coerce.number() });
const releaseSchema = z
  .object({ service: z.string(), release: z.string() })
  .extend({ first_ms: time, last_ms: time, lives: z.coerce.number(), started: z.coerce.number() });

const span = `toUnixTimestamp64Milli(min(life.started_at)) AS first_ms,
  toUnixTimestamp64Milli(max(life.received_at)) AS last_ms`;

/** Processes' lives, from their accounts. */
export async function lives(ask: Ask, scope: string, filter: LivesFilter): Promise<InstanceLife[]> {
  const { env, since, limit, service, host } = filter;
  const conditions = [
    ...(service === undefined ? [] : ["service = {service:String}"]),
    ...(host === undefined ? [] : ["host = {host:String}"]),
  ];
  const rows = await ask(
    `SELECT service, instance, host, max(life.release) AS release, max(life.ended) AS ended, ${span}
     FROM {database:Identifier}.deliveries AS life
     WHERE ${["scope_id = {scope:String} AND env = {env:String}", ...conditions].join(" AND ")}
     GROUP BY service, instance, host HAVING max(life.received_at) >= {since:DateTime64(3, 'UTC')}
     ORDER BY last_ms DESC, instance LIMIT {limit:UInt32} ${bounded}`,
    {
      ...{ scope, env, limit, since: clickHouseTime(Date.parse(since)) },
      ...(service !== undefined && { service }),
      ...(host !== undefined && { host }),
    },
  );
  return rows.map((row) => {
    const { first_ms: firstAt, last_ms: lastAt, ended, ...rest } = lifeSchema.parse(row);
    return { ...rest, firstAt, lastAt, ended: ended === 1 };
  });
}

/** The releases seen since then. Events without a release are left out. */
export async function releases(
  ask: Ask,
  scope: string,
  { env, since, limit }: { readonly env: string; readonly since: string; readonly limit: number },
): Promise<ReleaseLife[]> {
  const rows = await ask(
    `SELECT service, life.release AS release, ${span}, uniqExact(instance) AS lives,
       min(life.started_at) < min(life.first_received_at) AS started
     FROM {database:Identifier}.deliveries AS life
     WHERE scope_id = {scope:String} AND env = {env:String} AND life.release != ''
     GROUP BY service, release HAVING max(life.received_at) >= {since:DateTime64(3, 'UTC')}
     ORDER BY first_ms DESC, service, release LIMIT {limit:UInt32} ${bounded}`,
    { scope, env, limit, since: clickHouseTime(Date.parse(since)) },
  );
  return rows.map((row) => {
    const { first_ms: firstAt, last_ms: lastAt, started, ...rest } = releaseSchema.parse(row);
    return { ...rest, firstAt, lastAt, isStartKnown: started === 1 };
  });
}
