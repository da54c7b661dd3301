import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import {
  type InstanceLife,
  type LivesFilter,
  type ReleaseLife,
  type ReleasesFilter,
  startsMax,
} from "../surroundings.ts";
import { bounded } from "./activity.ts";
import type { Ask } from "./query.ts";

const time = z.coerce.number().transform((ms) => new Date(ms).toISOString());
const lifeSchema = z
  .object({ service: z.string(), instance: z.string(), host: z.string(), release: z.string() })
  .extend({ first_ms: time, last_ms: time, ended: z.coerce.number() });
const releaseSchema = z
  .object({ service: z.string(), release: z.string() })
  .extend({ first_ms: time, last_ms: time, lives: z.coerce.number(), started: z.coerce.number() })
  .extend({ starts: z.array(time), running_ms: z.array(time) });

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
      scope,
      env,
      limit,
      since: clickHouseTime(Date.parse(since)),
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
  { env, since, limit, service }: ReleasesFilter,
): Promise<ReleaseLife[]> {
  const rows = await ask(
    `SELECT service, release, toUnixTimestamp64Milli(min(began)) AS first_ms, toUnixTimestamp64Milli(max(seen)) AS last_ms,
       count() AS lives, min(began) < min(received) AS started,
       arraySlice(arrayReverseSort(groupArray(toUnixTimestamp64Milli(began))), 1, ${startsMax}) AS starts,
       arraySlice(arrayReverseSort(groupArrayIf(toUnixTimestamp64Milli(seen), ended = 0)), 1, 1) AS running_ms
     FROM (
       SELECT service, life.release AS release, instance, min(life.started_at) AS began,
         min(life.first_received_at) AS received, max(life.received_at) AS seen, max(life.ended) AS ended
       FROM {database:Identifier}.deliveries AS life
       WHERE scope_id = {scope:String} AND env = {env:String} AND life.release != ''
         ${service === undefined ? "" : "AND service = {service:String}"}
       GROUP BY service, release, instance
     )
     GROUP BY service, release HAVING max(seen) >= {since:DateTime64(3, 'UTC')}
     ORDER BY first_ms DESC, service, release LIMIT {limit:UInt32} ${bounded}`,
    { scope, env, limit, since: clickHouseTime(Date.parse(since)), ...(service !== undefined && { service }) },
  );
  return rows.map((row) => {
    const { first_ms: firstAt, last_ms: lastAt, running_ms, started, ...rest } = releaseSchema.parse(row);
    return { ...rest, firstAt, lastAt, isStartKnown: started === 1, runningAt: running_ms[0] ?? null };
  });
}
