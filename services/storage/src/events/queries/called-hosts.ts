import { z } from "zod";
import type { CalledHost, ServiceSpan } from "../service-telemetry.ts";
import { bounded, inWindow } from "./activity.ts";
import type { Ask } from "./query.ts";
import { serviceParameters } from "./service-course.ts";

/** The events whose breadcrumbs are read: their bodies are what costs. */
const eventsRead = 200;
const hostsMax = 20;
const failedFrom = 500;
const slowQuantile = 0.95;

const count = z.coerce.number();
const duration = count.nullable();
const rowSchema = z.object({ host: z.string(), calls: count, failed: count, median_ms: duration, slow_ms: duration });
/** The engine's own function takes no name without a dot, which most services have among themselves. */
const hostOfUrl = "^[a-zA-Z]+://(?:[^/?#@]*@)?([^/?#]+)";

/** What is read of a body, all at once: each look into it parses all of it. */
const bodyType = `Tuple(event Tuple(breadcrumbs Array(Tuple(timestamp String, category String,
  data Tuple(method String, url String, status_code Int64, duration_ms Nullable(Float64), error Nullable(String))))))`;

/** The hosts that a service called, by the breadcrumbs of its latest events; one call is in several of them. */
export async function calledHosts(ask: Ask, scope: string, span: ServiceSpan): Promise<CalledHost[]> {
  const rows = await ask(
    `SELECT host, count() AS calls, countIf(call.status_code >= ${failedFrom} OR call.error IS NOT NULL) AS failed,
       round(quantileOrNull(0.5)(call.duration_ms), 1) AS median_ms,
       round(quantileOrNull(${slowQuantile})(call.duration_ms), 1) AS slow_ms
     FROM (
       SELECT instance, crumb.timestamp AS sent, crumb.data AS call, extract(call.url, '${hostOfUrl}') AS host
       FROM (
         SELECT instance, arrayJoin(JSONExtract(payload, '${bodyType}').event.breadcrumbs) AS crumb
         FROM {database:Identifier}.events
         WHERE ${inWindow} AND (timestamp, id) GLOBAL IN (
           SELECT timestamp, id FROM {database:Identifier}.events WHERE ${inWindow}
           ORDER BY timestamp DESC, id DESC LIMIT ${eventsRead}
         )
       )
       WHERE crumb.category = 'http' AND crumb.data.url != ''
       LIMIT 1 BY instance, sent, call.method, call.url
     )
     WHERE host != '' GROUP BY host ORDER BY calls DESC, host LIMIT ${hostsMax} ${bounded}`,
    serviceParameters(scope, span),
  );
  return rows.map((row) => {
    const { median_ms: medianMs, slow_ms: slowMs, ...rest } = rowSchema.parse(row);
    return { ...rest, medianMs, slowMs };
  });
}
