import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import { missingRanges, missingRangesMax } from "../delivery-account.ts";
import type { DeliveryAccount, DeliveryFilter } from "../event-store.ts";
import { accounts, missingOfLoss } from "./accounts.ts";
import type { Ask } from "./query.ts";

const number = z.coerce.number();
const rowSchema = z.object({
  instance: z.string(),
  service: z.string(),
  env: z.string(),
  host: z.string(),
  first_ms: number,
  last_ms: number,
  received: number,
  last_seq: number,
  ended: number,
  missing_events: number,
  gaps: z.array(z.tuple([number, number])),
  lost: z.array(z.tuple([number, number, z.string()])),
});

/** The delivery accounts of the processes that reported since then, the most recently seen first. */
export async function deliveries(ask: Ask, scopeId: string, filter: DeliveryFilter): Promise<DeliveryAccount[]> {
  const { conditions, parameters } = whereOf(scopeId, filter);
  const key = "service, instance, env, host";
  const rows = await ask(
    `SELECT
       ${key}, first_ms, last_ms, last_seq, ended, missing_events,
       bitmapCardinality(numbers) AS received,
       if(missing_events = 0, [], arraySort(bitmapToArray(numbers))) AS sorted,
       if(missing_events = 0, [], arraySlice(arrayFilter(
         gap -> gap.1 <= gap.2,
         arrayZip(
           arrayPushFront(arrayMap(seq -> seq + 1, sorted), 1),
           arrayPushBack(arrayMap(seq -> seq - 1, sorted), toInt64(last_seq))
         )
       ), 1, ${missingRangesMax})) AS gaps,
       arrayFilter(loss -> ${missingOfLoss} > 0, owned) AS lost
     FROM (${accounts(`${conditions.join(" AND ")} AND (${key}) GLOBAL IN (
       SELECT ${key} FROM {database:Identifier}.deliveries
       WHERE ${conditions.join(" AND ")}
       GROUP BY ${key} HAVING max(received_at) >= {since:DateTime64(3, 'UTC')}
       ORDER BY max(received_at) DESC, instance LIMIT {limit:UInt32}
     )`)})
     ORDER BY last_ms DESC, instance`,
    { ...parameters, since: clickHouseTime(Date.parse(filter.since)), limit: filter.limit },
  );
  return rows.map(toAccount);
}

function whereOf(scope: string, filter: DeliveryFilter): { conditions: string[]; parameters: Record<string, string> } {
  const conditions = ["scope_id = {scope:String}"];
  const parameters: Record<string, string> = { scope };
  for (const column of ["service", "instance"] as const) {
    const value = filter[column];
    if (value === undefined) continue;
    conditions.push(`${column} = {${column}:String}`);
    parameters[column] = value;
  }
  return { conditions, parameters };
}

function toAccount(row: unknown): DeliveryAccount {
  const { first_ms, last_ms, last_seq, ended, missing_events, gaps, lost, ...rest } = rowSchema.parse(row);
  return {
    ...rest,
    firstReceivedAt: new Date(first_ms).toISOString(),
    lastReceivedAt: new Date(last_ms).toISOString(),
    lastSeq: last_seq,
    ended: ended === 1,
    missing: missingRanges(gaps, lost),
    missingEvents: missing_events,
  };
}
