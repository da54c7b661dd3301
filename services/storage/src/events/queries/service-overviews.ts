import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { ScopedEvents, ServiceOverview } from "../event-store.ts";
import { namesPerFailureMax } from "../schema/tables.ts";
import { answersByHour } from "./answers.ts";
import { crashed } from "./crashes.ts";
import type { Ask } from "./query.ts";

const time = z.coerce.number().transform((ms) => new Date(ms).toISOString());
const lifeSchema = z
  .object({ service: z.string(), env: z.string(), release: z.string(), last_ms: time })
  .extend({ processes: z.coerce.number() });
const spoolSchema = z.object({ service: z.string(), env: z.string(), spoolFolder: z.string(), spoolOff: z.string() });
const hourSchema = z.object({ service: z.string(), hour_s: z.coerce.number(), events: z.coerce.number() });

const alive = "scope_id = {scope:String} AND timestamp >= {alive:DateTime64(3, 'UTC')}";

/** Each service in each environment, the most recently seen first, with its failures and answers by hour. */
export async function serviceOverviews(
  ask: Ask,
  scope: string,
  { since, aliveSince, limit }: Parameters<ScopedEvents["services"]>[0],
): Promise<ServiceOverview[]> {
  const parameters = { scope, since: clickHouseTime(Date.parse(since)) };
  const [lives, hours, spools, answered] = await Promise.all([
    ask(
      `SELECT service, env, argMax(life.release, life.last_received) AS release, toUnixTimestamp64Milli(max(life.last_received)) AS last_ms,
         countIf(life.ended = 0 AND life.last_received >= {alive:DateTime64(3, 'UTC')}
           AND life.instance GLOBAL NOT IN (SELECT instance FROM (${crashed(alive)}))) AS processes
       FROM (
         SELECT service, env, instance, max(release) AS release, max(ended) AS ended, max(received_at) AS last_received
         FROM {database:Identifier}.deliveries WHERE scope_id = {scope:String}
         GROUP BY service, env, instance HAVING last_received >= {since:DateTime64(3, 'UTC')}
       ) AS life
       GROUP BY service, env ORDER BY last_ms DESC, service, env LIMIT {limit:UInt32}`,
      { ...parameters, limit, alive: clickHouseTime(Date.parse(aliveSince)) },
    ),
    ask(
      `SELECT arrayJoin(names) AS service, toUnixTimestamp(toStartOfHour(minute)) AS hour_s, sum(count) AS events
       FROM (
         SELECT minute, groupUniqArrayMerge(${namesPerFailureMax})(services) AS names, uniqExactMerge(events) AS count
         FROM {database:Identifier}.failure_minutes
         WHERE scope_id = {scope:String} AND minute >= {since:DateTime64(3, 'UTC')}
         GROUP BY fingerprint, minute
       )
       GROUP BY service, hour_s ORDER BY hour_s`,
      parameters,
    ),
    ask(
      `SELECT service, env, argMax(spool_folder, timestamp) AS spoolFolder, argMax(spool_off, timestamp) AS spoolOff
       FROM {database:Identifier}.vitals
       WHERE scope_id = {scope:String} AND timestamp >= {since:DateTime64(3, 'UTC')} GROUP BY service, env`,
      parameters,
    ),
    answersByHour(ask, scope, since),
  ]);
  const byService = Map.groupBy(
    hours.map((row) => hourSchema.parse(row)),
    ({ service }) => service,
  );
  const spoolOf = new Map(
    spools.map((row) => spoolSchema.parse(row)).map(({ service, env, ...spool }) => [`${service} ${env}`, spool]),
  );
  return lives.map((row) => {
    const { last_ms: lastSeenAt, ...life } = lifeSchema.parse(row);
    const failures = (byService.get(life.service) ?? []).map(({ hour_s, events }) => ({
      hour: new Date(hour_s * 1_000).toISOString(),
      events,
    }));
    const answers = answered.filter(({ service, env }) => service === life.service && env === life.env);
    const spool = spoolOf.get(`${life.service} ${life.env}`) ?? { spoolFolder: "", spoolOff: "" };
    return {
      ...life,
      ...spool,
      lastSeenAt,
      failures,
      answers: answers.map(({ service: _, env: __, ...counts }) => counts),
    };
  });
}
