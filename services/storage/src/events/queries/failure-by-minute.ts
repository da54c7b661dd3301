import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { MinuteCount } from "../event-store.ts";
import type { Ask } from "./query.ts";

const rowSchema = z.object({ minute_s: z.coerce.number(), events: z.coerce.number() });

/** Events of one failure in each minute that begins in `from` (included) to `to` (excluded), the oldest first. */
export async function failureByMinute(
  ask: Ask,
  scopeId: string,
  fingerprint: string,
  from: string,
  to: string,
): Promise<MinuteCount[]> {
  const rows = await ask(
    `SELECT toUnixTimestamp(minute) AS minute_s, uniqExactMerge(events) AS events
     FROM {database:Identifier}.failure_minutes
     WHERE scope_id = {scope:String} AND fingerprint = {fingerprint:String}
       AND minute >= {from:DateTime64(3, 'UTC')} AND minute < {to:DateTime64(3, 'UTC')}
     GROUP BY minute ORDER BY minute`,
    {
      scope: scopeId,
      fingerprint,
      from: clickHouseTime(Date.parse(from)),
      to: clickHouseTime(Date.parse(to)),
    },
  );
  return rows.map((row) => {
    const { minute_s, events } = rowSchema.parse(row);
    return { minute: new Date(minute_s * 1_000).toISOString(), events };
  });
}
