import { z } from "zod";
import type { ServiceSpan, SessionCount } from "../service-telemetry.ts";
import { bounded, spanParameters } from "./activity.ts";
import type { Ask } from "./query.ts";

const count = z.coerce.number();
const rowSchema = z.object({ release: z.string(), hour_s: count, sessions: count, crashed: count });
/** Of many releases, the newest hours: a month has 720. */
const rowsMax = 20_000;

/** How many sessions of a service began in each hour, by release, and how many of them crashed. */
export async function sessionCounts(
  ask: Ask,
  scope: string,
  { service, ...span }: ServiceSpan,
): Promise<SessionCount[]> {
  const rows = await ask(
    `SELECT release, hour_s, sessions, crashed FROM (
     SELECT release, hour, toUnixTimestamp(hour) AS hour_s, uniqCombinedMerge(14)(counted.sessions) AS sessions,
       uniqCombinedMerge(14)(counted.crashed) AS crashed
     FROM {database:Identifier}.session_hours AS counted
     WHERE scope_id = {scope:String} AND service = {service:String} AND env = {env:String}
       AND hour >= toStartOfHour({from:DateTime64(3, 'UTC')}) AND hour < {to:DateTime64(3, 'UTC')}
     GROUP BY release, hour ORDER BY hour DESC, release LIMIT ${rowsMax})
     ORDER BY hour_s, release ${bounded}`,
    { ...spanParameters(scope, span), service },
  );
  return rows.map((row) => {
    const { hour_s, ...counts } = rowSchema.parse(row);
    return { hour: new Date(hour_s * 1_000).toISOString(), ...counts };
  });
}
