import { z } from "zod";
import { type FailureWindow, type SpreadCount, spreadDimensions } from "../surroundings.ts";
import { bounded, failuresWhere, inWindow, windowParameters } from "./activity.ts";
import type { Ask } from "./query.ts";

/** Of each dimension: enough to see whether one stands out. */
const valuesMax = 30;

const count = z.coerce.number();
const rowSchema = z.object({
  dimension: z.enum(spreadDimensions),
  value: z.string(),
  failing: count,
  other_failures: count,
  heartbeats: count,
});

/** Counts all dimensions in one pass over the window. */
export async function spread(ask: Ask, scope: string, window: FailureWindow): Promise<SpreadCount[]> {
  const rows = await ask(
    `SELECT
       multiIf(grouping(release) = 0, 'release', grouping(host) = 0, 'host', grouping(instance) = 0, 'instance',
         grouping(route) = 0, 'route', 'total') AS dimension,
       concat(release, host, instance, route) AS value,
       sum(failing) AS failing, sum(other) AS other_failures, sum(beat) AS heartbeats
     FROM (
       SELECT release, host, instance, route,
         ${failuresWhere("fingerprint = {fingerprint:String}")} AS failing,
         ${failuresWhere("fingerprint != {fingerprint:String}")} AS other, 0 AS beat
       FROM {database:Identifier}.events WHERE ${inWindow} AND fingerprint != '' GROUP BY release, host, instance, route
       UNION ALL
       SELECT release, host, instance, toLowCardinality('') AS route, 0 AS failing, 0 AS other,
         uniqExact(timestamp) AS beat
       FROM {database:Identifier}.vitals WHERE ${inWindow} GROUP BY release, host, instance
     )
     GROUP BY GROUPING SETS ((release), (host), (instance), (route), ())
     ORDER BY failing DESC, other_failures + heartbeats DESC, value LIMIT ${valuesMax} BY dimension ${bounded}`,
    windowParameters(scope, window),
  );
  return rows.map((row) => {
    const { other_failures: otherFailures, ...rest } = rowSchema.parse(row);
    return { ...rest, otherFailures };
  });
}
