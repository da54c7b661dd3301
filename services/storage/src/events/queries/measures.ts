import { minuteMs } from "@whence/protocol";
import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { MeasuredQueue, MeasuredRate } from "../measures.ts";
import type { MeasuresFilter } from "../surroundings.ts";
import { bounded, inSpan, spanParameters } from "./activity.ts";
import type { Ask } from "./query.ts";

const count = z.coerce.number();
const time = z.coerce.number().transform((ms) => new Date(ms).toISOString());
const rateSchema = z.object({
  service: z.string(),
  kind: z.enum(["route", "process", "restarts"]),
  name: z.string(),
  recent: count,
  recent_failed: count,
  earlier: count,
  earlier_failed: count,
  last_ms: time,
});
const queueSchema = z.object({
  service: z.string(),
  name: z.string(),
  last: count,
  usual: count,
  usual_minutes: count,
  last_ms: time,
});

/** A count is compared with the one before if that isn't older: metrics are exported every minute, or more often. */
const comparedMs = 15 * minuteMs;
/** The last minutes of a span. */
const recentMs = 5 * minuteMs;

/** The columns that make a series. */
const series = "service, env, instance, kind, name, series, since";

/**
 * What was counted from `{from}` on, under conditions over the table of measures: how many were `added` by `timestamp`.
 * Of a count since a start, what was added is the difference to the one before, by whichever gateway that came, and all
 * of it if it started within the time that is read. It needs {@link countedParameters}.
 */
export function counted(conditions: string): string {
  const before = "if(since >= {comparedFrom:DateTime64(3, 'UTC')} AND counting != 'first', 0, value)";
  return `(SELECT service, env, release, instance, kind, name, failed, at AS timestamp, added
    FROM (
      SELECT *, if(counting = 'delta', value, greatest(value - lagInFrame(value, 1, ${before}) OVER (
          PARTITION BY ${series} ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), 0)) AS added
      FROM (
        SELECT ${series}, counting, timestamp, any(measure.release) AS release, any(measure.failed) AS failed,
          max(measure.measured_at) AS at, argMax(measure.value, measure.measured_at) AS value
        FROM {database:Identifier}.measures AS measure
        WHERE scope_id = {scope:String} AND timestamp >= {comparedFrom:DateTime64(3, 'UTC')} AND ${conditions}
        GROUP BY ${series}, counting, timestamp
      )
    )
    WHERE at >= {from:DateTime64(3, 'UTC')} AND added > 0)`;
}

/** The parameters of {@link counted}, for a span that begins there (RFC 3339). */
export function countedParameters(from: string): Record<string, unknown> {
  const fromMs = Date.parse(from);
  return { from: clickHouseTime(fromMs), comparedFrom: clickHouseTime(fromMs - comparedMs) };
}

/** How often each thing was done and failed, those that failed most in the last minutes first. */
export async function measuredRates(ask: Ask, scope: string, filter: MeasuresFilter): Promise<MeasuredRate[]> {
  const [recent, isEarlier] = [
    "timestamp >= {recent:DateTime64(3, 'UTC')}",
    "timestamp < {recent:DateTime64(3, 'UTC')}",
  ];
  const conditions = "env = {env:String} AND service IN {services:Array(String)} AND kind != 'queue'";
  const rows = await ask(
    `SELECT service, kind, name, sumIf(added, ${recent}) AS recent, sumIf(added, ${recent} AND failed = 1) AS recent_failed,
       sumIf(added, ${isEarlier}) AS earlier, sumIf(added, ${isEarlier} AND failed = 1) AS earlier_failed,
       toUnixTimestamp64Milli(max(timestamp)) AS last_ms
     FROM ${counted(conditions)} WHERE timestamp < {to:DateTime64(3, 'UTC')}
     GROUP BY service, kind, name
     ORDER BY recent_failed DESC, recent DESC, service, kind, name LIMIT {limit:UInt32} ${bounded}`,
    parametersOf(scope, filter),
  );
  return rows.map((row) => {
    const {
      recent_failed: recentFailed,
      earlier_failed: earlierFailed,
      last_ms: lastAt,
      ...same
    } = rateSchema.parse(row);
    return { ...same, recentFailed, earlierFailed, lastAt };
  });
}

/** How many messages wait in each queue, the longest first: by minute, those of all series together. */
export async function measuredQueues(ask: Ask, scope: string, filter: MeasuresFilter): Promise<MeasuredQueue[]> {
  const [recent, isEarlier] = ["minute >= {recent:DateTime64(3, 'UTC')}", "minute < {recent:DateTime64(3, 'UTC')}"];
  const rows = await ask(
    `SELECT service, name, argMaxIf(waiting, minute, ${recent}) AS last, countIf(${isEarlier}) AS usual_minutes,
       ifNotFinite(quantileExactIf(0.5)(waiting, ${isEarlier}), 0) AS usual, toUnixTimestamp64Milli(max(minute)) AS last_ms
     FROM (
       SELECT service, name, minute, sum(value) AS waiting
       FROM (
         SELECT service, name, instance, series, timestamp AS minute,
           argMax(measure.value, measure.measured_at) AS value
         FROM {database:Identifier}.measures AS measure
         WHERE ${inSpan} AND service IN {services:Array(String)} AND kind = 'queue'
         GROUP BY service, name, instance, series, minute
       )
       GROUP BY service, name, minute
     )
     GROUP BY service, name HAVING countIf(${recent}) > 0
     ORDER BY last DESC, service, name LIMIT {limit:UInt32} ${bounded}`,
    parametersOf(scope, filter),
  );
  return rows.map((row) => {
    const { usual, usual_minutes: minutes, last_ms: lastAt, ...same } = queueSchema.parse(row);
    return { ...same, usual: minutes === 0 ? null : usual, lastAt };
  });
}

function parametersOf(scope: string, filter: MeasuresFilter): Record<string, unknown> {
  const { services, limit, from, to } = filter;
  const recent = clickHouseTime(Date.parse(to) - recentMs);
  return { ...spanParameters(scope, filter), ...countedParameters(from), services, limit, recent };
}
