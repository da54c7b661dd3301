import { z } from "zod";
import { clickHouseTime } from "../clickhouse-time.ts";
import type { FailurePlaces, NameCount } from "../event-store.ts";
import type { Ask } from "./query.ts";

/** Names listed per kind of place; the failure's total counts the others too. */
const namesMax = 20;

const rowSchema = z.object({
  kind: z.enum(["route", "host", "release"]),
  name: z.string(),
  events: z.coerce.number(),
});

/** Where the events of one failure happened, counted once per id, the most frequent first. */
export async function failurePlaces(
  ask: Ask,
  scopeId: string,
  fingerprint: string,
  from: string,
  to: string,
): Promise<FailurePlaces> {
  const rows = await ask(
    `SELECT place.1 AS kind, place.2 AS name, uniqExact(id) AS events
     FROM {database:Identifier}.events
     ARRAY JOIN [('route', toString(route)), ('host', toString(host)), ('release', toString(release))] AS place
     WHERE scope_id = {scope:String} AND fingerprint = {fingerprint:String}
       AND timestamp >= {from:DateTime64(3, 'UTC')} AND timestamp < {to:DateTime64(3, 'UTC')}
       AND place.2 != ''
     GROUP BY kind, name ORDER BY events DESC, name LIMIT ${namesMax} BY kind`,
    {
      scope: scopeId,
      fingerprint,
      from: clickHouseTime(Date.parse(from)),
      to: clickHouseTime(Date.parse(to)),
    },
  );
  const counted = rows.map((row) => rowSchema.parse(row));
  const of = (kind: z.infer<typeof rowSchema>["kind"]): NameCount[] =>
    counted.filter((row) => row.kind === kind).map(({ name, events }) => ({ name, events }));
  return { routes: of("route"), hosts: of("host"), releases: of("release") };
}
