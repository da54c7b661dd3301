import { z } from "zod";
import type { CourseStep, ServiceEnv, ServiceSpan } from "../service-telemetry.ts";
import { bounded, failuresWhere, inWindow, spanParameters } from "./activity.ts";
import { measuredAnswers } from "./answers.ts";
import { countedParameters } from "./measures.ts";
import type { Ask } from "./query.ts";

const envsMax = 20;

const count = z.coerce.number();
const time = z.coerce.number().transform((ms) => new Date(ms).toISOString());
const envSchema = z.object({ env: z.string(), last_ms: time });
const stepSchema = z.object({
  at_s: count,
  failures: count,
  requests: count,
  failed: count,
  processes: count,
  memory: count,
  loop_delay: count,
});

/** The environments in which a service has reported, from the accounts of its processes and its sessions. */
export async function serviceEnvs(ask: Ask, scope: string, service: string): Promise<ServiceEnv[]> {
  const rows = await ask(
    `SELECT env, toUnixTimestamp64Milli(max(last)) AS last_ms
     FROM (
       SELECT env, max(life.received_at) AS last FROM {database:Identifier}.deliveries AS life
       WHERE scope_id = {scope:String} AND service = {service:String} GROUP BY env
       UNION ALL
       SELECT env, max(counted.received_at) AS last FROM {database:Identifier}.session_hours AS counted
       WHERE scope_id = {scope:String} AND service = {service:String} GROUP BY env
     )
     GROUP BY env ORDER BY last_ms DESC, env LIMIT ${envsMax} ${bounded}`,
    { scope, service },
  );
  return rows.map((row) => {
    const { env, last_ms: lastSeenAt } = envSchema.parse(row);
    return { env, lastSeenAt };
  });
}

/** The heartbeats of a window, counting a repeated one once. */
export const heartbeatsOnce = `(SELECT * FROM {database:Identifier}.vitals WHERE ${inWindow}
  LIMIT 1 BY service, instance, timestamp)`;

/** The measures of a window. */
export const ofService = "env = {env:String} AND service = {service:String} AND timestamp < {to:DateTime64(3, 'UTC')}";

/** Failures, heartbeats, and measured answers of a service by steps. */
export async function serviceCourse(
  ask: Ask,
  scope: string,
  { stepSeconds, ...span }: ServiceSpan & { readonly stepSeconds: number },
): Promise<CourseStep[]> {
  const rows = await ask(
    `WITH toStartOfInterval(timestamp, toIntervalSecond({step:UInt32}), {from:DateTime64(3, 'UTC')}) AS step
     SELECT at_s, sum(failing) AS failures, sum(answered) AS requests, sum(refused) AS failed, max(beating) AS processes,
       max(used) AS memory, max(late) AS loop_delay
     FROM (
       SELECT toUnixTimestamp(step) AS at_s, ${failuresWhere("true")} AS failing, 0 AS answered, 0 AS refused,
         0 AS beating, 0 AS used, 0 AS late
       FROM {database:Identifier}.events WHERE ${inWindow} AND fingerprint != '' GROUP BY at_s
       UNION ALL
       SELECT toUnixTimestamp(step) AS at_s, 0 AS failing, sum(requests) AS answered, sum(failed_requests) AS refused,
         uniqExact(instance) AS beating, max(rss) AS used, max(loop_delay_ms) AS late
       FROM ${heartbeatsOnce} GROUP BY at_s
       UNION ALL
       SELECT toUnixTimestamp(step) AS at_s, 0 AS failing, sum(requests) AS answered, sum(failed_requests) AS refused,
         0 AS beating, 0 AS used, 0 AS late
       FROM (${measuredAnswers("timestamp", ofService)}) GROUP BY at_s
     )
     GROUP BY at_s ORDER BY at_s ${bounded}`,
    { ...serviceParameters(scope, span), step: stepSeconds },
  );
  return rows.map((row) => {
    const { at_s, memory: memoryBytes, loop_delay: loopDelayMs, ...counts } = stepSchema.parse(row);
    return { at: new Date(at_s * 1_000).toISOString(), ...counts, memoryBytes, loopDelayMs };
  });
}

export function serviceParameters(scope: string, { service, ...span }: ServiceSpan): Record<string, unknown> {
  return { ...spanParameters(scope, span), ...countedParameters(span.from), service };
}
