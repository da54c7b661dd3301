import { z } from "zod";
import type { FailureTotals } from "../event-store.ts";
import { namesPerFailureMax } from "../schema/tables.ts";
import type { Ask } from "./query.ts";

const names = z.array(z.string()).transform((list) => list.filter((name) => name !== "").sort());
const rowSchema = z.object({
  events: z.coerce.number(),
  first_ms: z.coerce.number(),
  last_ms: z.coerce.number(),
  services: names,
  routes: names,
  hosts: names,
  releases: names,
});

/** After every minute that there is. */
const endOfTime = "2106-01-01T00:00:00.000Z";

/** Events of one failure, counted once per id, until the end of a minute; null when there are none. */
export async function failureTotals(
  ask: Ask,
  scopeId: string,
  { fingerprint, until = endOfTime }: { readonly fingerprint: string; readonly until?: string | undefined },
): Promise<FailureTotals | null> {
  const [row] = await ask(
    `SELECT
       uniqExactMerge(events) AS events,
       toUnixTimestamp64Milli(min(first_seen)) AS first_ms,
       toUnixTimestamp64Milli(max(last_seen)) AS last_ms,
       groupUniqArrayMerge(${namesPerFailureMax})(services) AS services,
       groupUniqArrayMerge(${namesPerFailureMax})(routes) AS routes,
       groupUniqArrayMerge(${namesPerFailureMax})(hosts) AS hosts,
       groupUniqArrayMerge(${namesPerFailureMax})(releases) AS releases
     FROM {database:Identifier}.failure_minutes
     WHERE scope_id = {scope:String} AND fingerprint = {fingerprint:String}
       AND minute <= toDateTime({until_s:UInt32}, 'UTC')`,
    { scope: scopeId, fingerprint, until_s: Math.floor(Date.parse(until) / 1_000) },
  );
  const { events, first_ms, last_ms, ...where } = rowSchema.parse(row);
  if (events === 0) return null;
  return { events, firstSeen: new Date(first_ms).toISOString(), lastSeen: new Date(last_ms).toISOString(), ...where };
}
