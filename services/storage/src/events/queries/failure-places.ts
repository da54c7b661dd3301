import { z } from "zod";
import type { FailurePlaces, FailureSpan, NameCount } from "../event-store.ts";
import { failureParameters, inFailure } from "./failure-by-minute.ts";
import type { Ask } from "./query.ts";

/** Names listed per kind of place; the failure's total counts the others too. */
const namesMax = 20;

const rowSchema = z.object({
  kind: z.enum(["route", "host", "release"]),
  name: z.string(),
  events: z.coerce.number(),
});

/** Where the events of one failure happened, counted once per id, the most frequent first. */
export async function failurePlaces(ask: Ask, scopeId: string, span: FailureSpan): Promise<FailurePlaces> {
  const rows = await ask(
    `SELECT place.1 AS kind, place.2 AS name, uniqExact(id_hash) AS events
     FROM {database:Identifier}.events
     ARRAY JOIN [('route', toString(route)), ('host', toString(host)), ('release', toString(release))] AS place
     WHERE ${inFailure(span)} AND place.2 != ''
     GROUP BY kind, name ORDER BY events DESC, name LIMIT ${namesMax} BY kind`,
    failureParameters(scopeId, span),
  );
  const counted = rows.map((row) => rowSchema.parse(row));
  const of = (kind: z.infer<typeof rowSchema>["kind"]): NameCount[] =>
    counted.filter((row) => row.kind === kind).map(({ name, events }) => ({ name, events }));
  return { routes: of("route"), hosts: of("host"), releases: of("release") };
}
