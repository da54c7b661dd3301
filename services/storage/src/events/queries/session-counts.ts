import { hourMs } from "@whence/protocol";
import { z } from "zod";
import type { ServiceSpan, SessionCounts } from "../service-telemetry.ts";
import { bounded, spanParameters } from "./activity.ts";
import type { Ask } from "./query.ts";

const count = z.coerce.number();
const rowSchema = z.object({ release: z.string(), hour_s: count, sessions: count, crashed: count, uncaught: count });
/** Of many releases, the newest hours: a month has 720. */
const rowsMax = 20_000;

/** Returns how many sessions of a service began in each hour, by release, and how many of them failed. */
export async function sessionCounts(
  ask: Ask,
  scope: string,
  { service, ...span }: ServiceSpan,
): Promise<SessionCounts> {
  const rows = await ask(
    `SELECT release, hour_s, sessions, crashed, uncaught FROM (
     SELECT release, hour, toUnixTimestamp(hour) AS hour_s, uniqCombinedMerge(14)(counted.sessions) AS sessions,
       uniqCombinedMerge(14)(counted.crashed) AS crashed, uniqCombinedMerge(14)(counted.uncaught) AS uncaught
     FROM {database:Identifier}.session_hours AS counted
     WHERE scope_id = {scope:String} AND service = {service:String} AND env = {env:String}
       AND hour >= toStartOfHour({from:DateTime64(3, 'UTC')}) AND hour < {to:DateTime64(3, 'UTC')}
     GROUP BY release, hour ORDER BY hour DESC, release LIMIT ${rowsMax + 1})
     ORDER BY hour_s, release ${bounded}`,
    { ...spanParameters(scope, span), service },
  );
  const counts = rows.map((row) => {
    const { hour_s, uncaught, ...counted } = rowSchema.parse(row);
    const unhandled = Math.max(uncaught - counted.crashed, 0);
    return { hour: new Date(hour_s * 1_000).toISOString(), ...counted, unhandled };
  });
  const [oldest] = counts;
  if (oldest === undefined || counts.length <= rowsMax) return { from: hourAt(Date.parse(span.from)), counts };
  // Releases of the oldest hour may be missing.
  const whole = counts.filter(({ hour }) => hour !== oldest.hour);
  return { from: hourAt(Date.parse(oldest.hour) + hourMs), counts: whole };
}

function hourAt(ms: number): string {
  return new Date(Math.floor(ms / hourMs) * hourMs).toISOString();
}
