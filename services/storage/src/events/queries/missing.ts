import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import { unaccounted } from "../delivery-account.ts";
import { accounts, missingOfLoss } from "./accounts.ts";
import type { Ask } from "./query.ts";

const process = "scope_id, service, instance, env, host";
/** What one process may add to a figure that all organizations share: it may claim that it lost any number. */
const countedPerProcessMax = 100_000;
const rowSchema = z.object({ reason: z.string(), events: z.coerce.number() });

/** How many events of processes that reported since then never arrived, over all scopes, by reason; at most 100,000 per process. */
export async function missingByReason(ask: Ask, since: string): Promise<{ reason: string; events: number }[]> {
  const rows = await ask(
    `SELECT reason, sum(least(missing, ${countedPerProcessMax})) AS events
     FROM (
       SELECT counted.1 AS reason, sum(counted.2) AS missing
       FROM (
       SELECT ${process},
         arrayMap(loss -> (loss.3, toInt64(${missingOfLoss})), owned) AS lost,
         arrayJoin(arrayPushBack(
           lost, ({unaccounted:String}, toInt64(missing_events) - arraySum(arrayMap(loss -> loss.2, lost)))
         )) AS counted
       FROM (${accounts(`(${process}) GLOBAL IN (
         SELECT ${process} FROM {database:Identifier}.deliveries
         WHERE received_at >= {since:DateTime64(3, 'UTC')}
       )`)})
       )
       GROUP BY ${process}, reason
     )
     GROUP BY reason HAVING events > 0 ORDER BY reason`,
    { since: clickHouseTime(Date.parse(since)), unaccounted },
  );
  return rows.map((row) => rowSchema.parse(row));
}
