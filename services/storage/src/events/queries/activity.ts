import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import { type FailureWindow, type MinuteActivity, questionSecondsMax, type Span } from "../surroundings.ts";
import type { Ask } from "./query.ts";

const count = z.coerce.number();
const rowSchema = z.object({ minute_s: count, failing: count, other_failures: count, heartbeats: count });

/** The load of a service by minute, read in the order of the table's key. */
export async function activity(ask: Ask, scope: string, window: FailureWindow): Promise<MinuteActivity[]> {
  const rows = await ask(
    `SELECT toUnixTimestamp(minute) AS minute_s, sum(failing) AS failing, sum(other) AS other_failures, sum(beat) AS heartbeats
     FROM (
       SELECT toStartOfMinute(timestamp) AS minute, ${failuresWhere("fingerprint = {fingerprint:String}")} AS failing,
         ${failuresWhere("fingerprint != {fingerprint:String}")} AS other, 0 AS beat
       FROM {database:Identifier}.events WHERE ${inWindow} AND fingerprint != '' GROUP BY minute
       UNION ALL
       SELECT toStartOfMinute(timestamp) AS minute, 0 AS failing, 0 AS other,
         uniqExact(cityHash64(instance, timestamp)) AS beat
       FROM {database:Identifier}.vitals WHERE ${inWindow} GROUP BY minute
     )
     GROUP BY minute ORDER BY minute ${bounded}`,
    windowParameters(scope, window),
  );
  return rows.map((row) => {
    const { minute_s, failing, other_failures: otherFailures, heartbeats } = rowSchema.parse(row);
    return { minute: new Date(minute_s * 1_000).toISOString(), failing, otherFailures, heartbeats };
  });
}

/** How many different failures: one that was stored twice lies there twice until it is merged. */
export function failuresWhere(condition: string): string {
  return `uniqExactIf(id_hash, ${condition})`;
}

/** A question that takes longer is given up by the engine. */
export const bounded = `SETTINGS max_execution_time = ${questionSecondsMax}`;

export const inSpan = `scope_id = {scope:String} AND env = {env:String}
  AND timestamp >= {from:DateTime64(3, 'UTC')} AND timestamp < {to:DateTime64(3, 'UTC')}`;
export const inWindow = `${inSpan} AND service = {service:String}`;

export function spanParameters(scope: string, { env, from, to }: Span): Record<string, unknown> {
  return { scope, env, from: clickHouseTime(Date.parse(from)), to: clickHouseTime(Date.parse(to)) };
}

export function windowParameters(scope: string, window: FailureWindow): Record<string, unknown> {
  return { ...spanParameters(scope, window), service: window.service, fingerprint: window.fingerprint };
}
