import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { FailureSpan, MinuteCount } from "../event-store.ts";
import type { Ask } from "./query.ts";

const rowSchema = z.object({ minute_s: z.coerce.number(), events: z.coerce.number() });

/** Events of one failure in each minute that begins in `from` (included) to `to` (excluded), the oldest first. */
export async function failureByMinute(ask: Ask, scopeId: string, span: FailureSpan): Promise<MinuteCount[]> {
  const rows = await ask(
    `SELECT toUnixTimestamp(toStartOfMinute(timestamp)) AS minute_s, uniqExact(id_hash) AS events
     FROM {database:Identifier}.events WHERE ${inFailure(span)} GROUP BY minute_s ORDER BY minute_s`,
    failureParameters(scopeId, span),
  );
  return rows.map((row) => {
    const { minute_s, events } = rowSchema.parse(row);
    return { minute: new Date(minute_s * 1_000).toISOString(), events };
  });
}

/** The condition of the events of a failure: of one environment, if it names one. */
export function inFailure({ env }: FailureSpan): string {
  return `scope_id = {scope:String} AND fingerprint = {fingerprint:String}
    ${env === undefined ? "" : "AND env = {env:String}"}
    AND timestamp >= {from:DateTime64(3, 'UTC')} AND timestamp < {to:DateTime64(3, 'UTC')}`;
}

export function failureParameters(scope: string, { fingerprint, env, from, to }: FailureSpan): Record<string, string> {
  const times = { from: clickHouseTime(Date.parse(from)), to: clickHouseTime(Date.parse(to)) };
  return { scope, fingerprint, ...times, ...(env !== undefined && { env }) };
}
