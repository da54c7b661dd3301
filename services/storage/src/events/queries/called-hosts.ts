import { z } from "zod";
import type { CalledHost, ServiceSpan } from "../service-telemetry.ts";
import { bounded, inWindow } from "./activity.ts";
import type { Ask } from "./query.ts";
import { serviceParameters } from "./service-course.ts";

/** The events whose breadcrumbs are read: their bodies are what costs. */
const eventsRead = 200;
const spansRead = 5_000;
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

const recordedCalls = `
  SELECT host, call.status_code >= ${failedFrom} OR call.error IS NOT NULL AS is_failed,
    call.duration_ms AS duration_ms
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
  )`;

/** A call that was answered failed by its status, and any other by the status of its span. */
const tracedCalls = `
  SELECT peer AS host, status_code >= ${failedFrom} OR (failed = 1 AND status_code = 0) AS is_failed,
    toNullable(duration_ms) AS duration_ms
  FROM (
    SELECT peer, weight, status_code, failed, duration_ms, trace_id, span_id FROM {database:Identifier}.spans
    WHERE ${inWindow} AND kind = 'client' ORDER BY timestamp DESC LIMIT 1 BY trace_id, span_id LIMIT ${spansRead}
  )
  ARRAY JOIN range(weight) AS call_of_span`;

/**
 * The hosts that a service called, by the breadcrumbs of its latest events, where one call is in several of them, and by
 * its latest spans, since each stands for several calls.
 */
export async function calledHosts(ask: Ask, scope: string, span: ServiceSpan): Promise<CalledHost[]> {
  const rows = await ask(
    `SELECT host, count() AS calls, countIf(is_failed) AS failed,
       round(quantileOrNull(0.5)(duration_ms), 1) AS median_ms,
       round(quantileOrNull(${slowQuantile})(duration_ms), 1) AS slow_ms
     FROM (${recordedCalls} UNION ALL ${tracedCalls})
     WHERE host != '' GROUP BY host ORDER BY calls DESC, host LIMIT ${hostsMax} ${bounded}`,
    serviceParameters(scope, span),
  );
  return rows.map((row) => {
    const { median_ms: medianMs, slow_ms: slowMs, ...rest } = rowSchema.parse(row);
    return { ...rest, medianMs, slowMs };
  });
}
