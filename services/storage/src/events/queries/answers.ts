import { z } from "zod";
import type { AnswerCount, Span } from "../surroundings.ts";
import { bounded, spanParameters } from "./activity.ts";
import { counted as countedMeasures, countedParameters } from "./measures.ts";
import type { Ask } from "./query.ts";

const count = z.coerce.number();
const rowSchema = z
  .object({ at_s: count, requests: count, failed: count })
  .transform(({ at_s, ...counts }) => ({ at: new Date(at_s * 1_000).toISOString(), ...counts }));
const hourSchema = z.object({ service: z.string(), env: z.string() });

const counted = "sum(requests) AS requests, sum(failed_requests) AS failed";

/**
 * Counts of answered requests that processes reported: by heartbeat, counting a repeated one once, and by metrics of
 * routes.
 */
function answersWhere(conditions: string): string {
  return `(SELECT service, env, timestamp, requests, failed_requests FROM {database:Identifier}.vitals
    WHERE scope_id = {scope:String} AND timestamp >= {from:DateTime64(3, 'UTC')} AND ${conditions} AND requests > 0
    LIMIT 1 BY service, instance, timestamp
    UNION ALL
    ${measuredAnswers(`service, env, timestamp`, conditions)})`;
}

/** What metrics say of answered requests, by those columns: `requests`, and `failed_requests`. */
export function measuredAnswers(columns: string, conditions: string): string {
  return `SELECT ${columns}, added AS requests, added * failed AS failed_requests
    FROM ${countedMeasures(`kind = 'route' AND ${conditions}`)}`;
}

/** Of one service, by minute. */
export async function answersByMinute(
  ask: Ask,
  scope: string,
  { service, ...span }: Span & { readonly service: string },
): Promise<AnswerCount[]> {
  const rows = await ask(
    `SELECT toUnixTimestamp(toStartOfMinute(timestamp)) AS at_s, ${counted}
     FROM ${answersWhere(`env = {env:String} AND timestamp < {to:DateTime64(3, 'UTC')} AND service = {service:String}`)}
     GROUP BY at_s ORDER BY at_s ${bounded}`,
    { ...spanParameters(scope, span), ...countedParameters(span.from), service },
  );
  return rows.map((row) => rowSchema.parse(row));
}

/** Of every service in every environment, by hour, from that time (RFC 3339) on. */
export async function answersByHour(
  ask: Ask,
  scope: string,
  since: string,
): Promise<(AnswerCount & z.infer<typeof hourSchema>)[]> {
  const rows = await ask(
    `SELECT service, env, toUnixTimestamp(toStartOfHour(timestamp)) AS at_s, ${counted}
     FROM ${answersWhere("true")}
     GROUP BY service, env, at_s ORDER BY at_s ${bounded}`,
    { scope, ...countedParameters(since) },
  );
  return rows.map((row) => ({ ...hourSchema.parse(row), ...rowSchema.parse(row) }));
}
