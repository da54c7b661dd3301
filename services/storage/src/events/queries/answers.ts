import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { AnswerCount, Span } from "../surroundings.ts";
import { bounded, inSpan, spanParameters } from "./activity.ts";
import type { Ask } from "./query.ts";

const count = z.coerce.number();
const rowSchema = z
  .object({ at_s: count, requests: count, failed: count })
  .transform(({ at_s, ...counts }) => ({ at: new Date(at_s * 1_000).toISOString(), ...counts }));
const hourSchema = z.object({ service: z.string(), env: z.string() });

const counted = "sum(requests) AS requests, sum(failed_requests) AS failed";

/** Those of processes that say what they answered, each heartbeat once, however often it was stored. */
function heartbeatsWhere(conditions: string): string {
  return `(SELECT service, env, timestamp, requests, failed_requests FROM {database:Identifier}.vitals
    WHERE ${conditions} AND requests > 0 LIMIT 1 BY service, instance, timestamp)`;
}

/** Of one service, by minute. */
export async function answersByMinute(
  ask: Ask,
  scope: string,
  { service, ...span }: Span & { readonly service: string },
): Promise<AnswerCount[]> {
  const rows = await ask(
    `SELECT toUnixTimestamp(toStartOfMinute(timestamp)) AS at_s, ${counted}
     FROM ${heartbeatsWhere(`${inSpan} AND service = {service:String}`)}
     GROUP BY at_s ORDER BY at_s ${bounded}`,
    { ...spanParameters(scope, span), service },
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
     FROM ${heartbeatsWhere("scope_id = {scope:String} AND timestamp >= {since:DateTime64(3, 'UTC')}")}
     GROUP BY service, env, at_s ORDER BY at_s ${bounded}`,
    { scope, since: clickHouseTime(Date.parse(since)) },
  );
  return rows.map((row) => ({ ...hourSchema.parse(row), ...rowSchema.parse(row) }));
}
