import { z } from "zod";
import { type StoredSpan, traceSpanKinds } from "../spans.ts";
import type { AnsweredHost, Span, SpanFilter, TraceStep } from "../surroundings.ts";
import { bounded, inSpan, spanParameters } from "./activity.ts";
import type { Ask } from "./query.ts";
import { recordedCall } from "./recorded-call.ts";

/** The newest spans that are paired: they cover what runs now. */
const pairedSpansMax = 5_000;
const hostsMax = 500;

const text = z.string();
const rowSchema = z.object({
  service: text,
  env: text,
  release: text,
  instance: text,
  host: text,
  name: text,
  method: text,
  target: text,
  trace_id: text,
  span_id: text,
  parent_id: text,
  peer: text,
  error: text,
  kind: z.enum(traceSpanKinds),
  category: z.enum(["http", "rpc", "db", "messaging", ""]),
  at_ms: z.coerce.number(),
  received_ms: z.coerce.number(),
  duration_ms: z.number(),
  status_code: z.number(),
  failed: z.number(),
  weight: z.number(),
});

/** Spans, newest first, each once. */
export async function spans(ask: Ask, scope: string, filter: SpanFilter): Promise<TraceStep[]> {
  const { traceIds, service, kinds, limit } = filter;
  const conditions = [
    inSpan,
    ...(traceIds === undefined ? [] : ["trace_id IN {traceIds:Array(String)}"]),
    ...(service === undefined ? [] : ["service = {service:String}"]),
    ...(kinds === undefined ? [] : ["kind IN {kinds:Array(String)}"]),
  ];
  const given = Object.entries({ traceIds, service, kinds }).filter(([, value]) => value !== undefined);
  const rows = await ask(
    `SELECT service, env, release, instance, host, trace_id, span_id, parent_id, kind, name, category, method, target,
       peer, duration_ms, status_code, failed, error, weight,
       toUnixTimestamp64Milli(timestamp) AS at_ms, toUnixTimestamp64Milli(received_at) AS received_ms
     FROM {database:Identifier}.spans WHERE ${conditions.join(" AND ")}
     ORDER BY timestamp DESC, trace_id, span_id, received_at LIMIT 1 BY trace_id, span_id LIMIT {limit:UInt32} ${bounded}`,
    { ...spanParameters(scope, filter), ...Object.fromEntries(given), limit },
  );
  return rows.map((row) => toSpan(scope, rowSchema.parse(row)));
}

function toSpan(scopeId: string, row: z.output<typeof rowSchema>): TraceStep {
  const { trace_id: traceId, span_id: spanId, parent_id: parentId, at_ms, received_ms, ...rest } = row;
  const { duration_ms: durationMs, status_code: status, failed, error, ...same } = rest;
  const span: StoredSpan = {
    ...same,
    scopeId,
    traceId,
    spanId,
    parentId,
    durationMs,
    at: new Date(at_ms).toISOString(),
    receivedAt: new Date(received_ms).toISOString(),
    statusCode: status === 0 ? null : status,
    error: failed === 1 ? error : null,
  };
  return { ...span, call: recordedCall(span) };
}

/** Returns the services that handled calls to each host, the most frequent first. */
export async function answeredHosts(ask: Ask, scope: string, span: Span): Promise<AnsweredHost[]> {
  const newest = (kinds: string, columns: string): string =>
    `SELECT ${columns} FROM {database:Identifier}.spans WHERE ${inSpan} AND kind IN (${kinds})
     ORDER BY timestamp DESC LIMIT ${pairedSpansMax}`;
  const rows = await ask(
    `SELECT peer AS host, answering AS service, uniqExact(called) AS calls
     FROM (${newest("'client'", "trace_id, span_id AS called, peer, service AS calling")}) AS calls
     GLOBAL INNER JOIN (${newest("'server'", "trace_id, parent_id AS called, service AS answering")}) AS answers
       USING (trace_id, called)
     WHERE peer != '' AND answering != calling
     GROUP BY host, service ORDER BY calls DESC, host, service LIMIT ${hostsMax} ${bounded}`,
    spanParameters(scope, span),
  );
  return rows.map((row) => z.object({ host: text, service: text, calls: z.coerce.number() }).parse(row));
}
