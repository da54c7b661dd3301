import { z } from "zod";
import type { Circumstances, CircumstancesFilter } from "../surroundings.ts";
import { bounded, inSpan, spanParameters } from "./activity.ts";
import type { Ask } from "./query.ts";
import { withTracedCalls } from "./traced-calls.ts";

const messageUnitsMax = 300;
/** The last ones before an event: what it may follow from. */
const callsMax = 30;

const text = z.string();
const callSchema = z
  .object({
    timestamp: text,
    scope: text,
    data: z.object({
      method: text,
      url: text,
      status_code: z.coerce.number().nullable(),
      duration_ms: z.number().nullable(),
      error: text.nullable(),
      error_code: text.nullable(),
    }),
  })
  .transform(({ timestamp: at, scope, data: { method, url, status_code, duration_ms, error, error_code } }) => {
    const said = [error_code, error].filter((part) => part !== null);
    const failed = said.length === 0 ? null : said.join(" ");
    const isOfProcess = scope === "process";
    return { at, method, url, statusCode: status_code, durationMs: duration_ms, error: failed, isOfProcess };
  });
const rowSchema = z.object({
  id: text,
  at_ms: z.coerce.number(),
  service: text,
  release: text,
  host: text,
  instance: text,
  runtime: text,
  fingerprint: text,
  trace_id: text,
  message: text,
  method: text,
  path: text,
  route: text,
  called_as: text,
  user_agent: text,
  calls: z.array(callSchema),
});

/** What is read of a body, all at once: each look into it parses all of it. */
const bodyType = `Tuple(
  host Tuple(runtime Tuple(name String, version String)),
  event Tuple(
    message String,
    request Tuple(method String, path String, headers Tuple(host String, \`user-agent\` String)),
    breadcrumbs Array(Tuple(timestamp String, category String, scope String, data Tuple(method String, url String,
      status_code Nullable(Int64), duration_ms Nullable(Float64), error Nullable(String), error_code Nullable(String))))))`;

/** Picks events by their columns, then reads of each body only what is asked, in the engine's own threads. */
export async function circumstances(ask: Ask, scope: string, filter: CircumstancesFilter): Promise<Circumstances[]> {
  const { conditions, parameters } = whereOf(scope, filter);
  // Of a service's first few one may be there twice: then it is one fewer.
  const apart =
    filter.perService !== undefined
      ? "LIMIT {perService:UInt32} BY service"
      : filter.perFailure !== undefined
        ? "LIMIT {perFailure:UInt32} BY fingerprint"
        : "LIMIT 1 BY id";
  const rows = await ask(
    `WITH JSONExtract(payload, '${bodyType}') AS body
     SELECT id, toUnixTimestamp64Milli(event.timestamp) AS at_ms, service, release, host, instance, fingerprint,
       trace_id, route,
       trim(concat(body.host.runtime.name, ' ', body.host.runtime.version)) AS runtime,
       leftUTF8(body.event.message, ${messageUnitsMax}) AS message,
       body.event.request.method AS method, body.event.request.path AS path,
       body.event.request.headers.host AS called_as, body.event.request.headers.\`user-agent\` AS user_agent,
       arraySlice(arrayFilter(one -> one.category = 'http' AND one.data.url != '', body.event.breadcrumbs),
         -${callsMax}) AS calls
     FROM {database:Identifier}.events AS event
     WHERE scope_id = {scope:String} AND (service, event.timestamp, id) GLOBAL IN (
       SELECT service, timestamp, id FROM {database:Identifier}.events WHERE ${conditions.join(" AND ")}
       ORDER BY timestamp DESC, id DESC ${apart} LIMIT {limit:UInt32}
     )
     ORDER BY event.timestamp DESC, id DESC, received_at LIMIT 1 BY id ${bounded}`,
    parameters,
  );
  const found = rows.map((row): Circumstances => {
    const { at_ms, trace_id, called_as, user_agent, ...rest } = rowSchema.parse(row);
    const named = { traceId: trace_id, calledAs: called_as, userAgent: user_agent };
    return { ...rest, ...named, at: new Date(at_ms).toISOString() };
  });
  return withTracedCalls(ask, scope, { filter, callsMax }, found);
}

function whereOf(
  scope: string,
  filter: CircumstancesFilter,
): { conditions: string[]; parameters: Record<string, unknown> } {
  const { service, fingerprint, fingerprints, otherThan, traceIds, limit, perService, perFailure } = filter;
  const conditions = [
    inSpan,
    "type IN ('exception', 'log')",
    ...(service === undefined ? [] : ["service = {service:String}"]),
    ...(fingerprint === undefined ? [] : ["fingerprint = {fingerprint:String}"]),
    ...(fingerprints === undefined ? [] : ["fingerprint IN {fingerprints:Array(String)}"]),
    ...(otherThan === undefined ? [] : ["fingerprint != {otherThan:String}"]),
    ...(traceIds === undefined ? [] : ["trace_id IN {traceIds:Array(String)}"]),
  ];
  const named = { service, fingerprint, fingerprints, otherThan, traceIds };
  const given = Object.entries({ ...named, limit, perService, perFailure });
  const parameters = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return { conditions, parameters: { ...spanParameters(scope, filter), ...parameters } };
}
