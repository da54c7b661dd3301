import { z } from "zod";
import type { FailureQuestion } from "../integrations/integration.ts";
import { readLine, withErrorText } from "../integrations/line-text.ts";
import type { LogLine } from "../integrations/repeated-lines.ts";
import { serviceNames } from "../integrations/service-names.ts";

const textSchema = z.string().min(1).optional().catch(undefined);
const attributesSchema = z
  .object({
    "service.name": textSchema,
    "k8s.container.name": textSchema,
    "host.name": textSchema,
    "exception.message": textSchema,
    "error.message": textSchema,
  })
  .optional()
  .catch(undefined);

/** A log record or a span. */
export const rowSchema = z.object({
  timestamp: z.string(),
  data: z.object({
    body: z.union([z.string(), z.json().transform((value) => JSON.stringify(value))]).optional(),
    severity_text: textSchema,
    resources_string: attributesSchema,
    attributes_string: attributesSchema,
    trace_id: textSchema,
    name: textSchema,
    "service.name": textSchema,
    status_message: textSchema,
    response_status_code: textSchema,
    resource: attributesSchema,
  }),
});
export type SignozRow = z.infer<typeof rowSchema>;

/**
 * OpenTelemetry's severity number of ERROR.
 * https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber
 */
const errorSeverity = 17;
const words = ["error", "exception", "fatal", "panic"];

interface Range {
  /** In milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly limit: number;
  readonly offset: number;
}

/** https://signoz.io/docs/logs-management/logs-api/payload-model/ */
export function rawQuery(signal: "logs" | "traces", expression: string, { start, end, limit, offset }: Range): object {
  const order = [{ key: { name: "timestamp" }, direction: "desc" }];
  const spec = { name: "A", signal, filter: { expression }, limit, offset, order };
  const selected = signal === "traces" ? { selectFields: spanFields } : {};
  return {
    schemaVersion: "v1",
    start,
    end,
    requestType: "raw",
    compositeQuery: { queries: [{ type: "builder_query", spec: { ...spec, ...selected } }] },
  };
}

const spanFields = [
  { name: "service.name", fieldContext: "resource" },
  ...["name", "status_message", "response_status_code"].map((name) => ({ name, fieldContext: "span" })),
];

/** Matches logs of level error or worse, and those without a level that contain a word for it. */
export function errorLogs(about: FailureQuestion): string {
  const named = words.map((word) => `body ILIKE '%${word}%'`).join(" OR ");
  return `(severity_number >= ${errorSeverity} OR (severity_number = 0 AND (${named}))) AND ${ofServices(about)}`;
}

export function failedSpans(about: FailureQuestion): string {
  return `has_error = true AND ${ofServices(about)}`;
}

/** Matches the failing service by its name, and called services by the names in their hosts. */
function ofServices(about: FailureQuestion): string {
  const called = serviceNames(about).filter((name) => name !== about.service);
  const conditions = [
    `service.name = ${quoted(about.service)}`,
    ...called.map((name) => `service.name ILIKE ${quoted(`%${name}%`)}`),
  ];
  return `(${conditions.join(" OR ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}

export function logLine({ timestamp: at, data }: SignozRow): Omit<LogLine, "url"> {
  const { body = "", severity_text: severity, resources_string: resource, attributes_string: attributes } = data;
  const said = readLine(body);
  const source = resource?.["service.name"] ?? resource?.["k8s.container.name"] ?? resource?.["host.name"] ?? null;
  const message = withErrorText(said.message, attributes?.["exception.message"] ?? attributes?.["error.message"]);
  return { level: severity?.toLowerCase() ?? said.level, message, source, at };
}

/** Returns a failed span as a line, with a link to its trace. */
export function spanLine({ timestamp: at, data }: SignozRow, address: string): LogLine {
  const { name = "span", status_message: reason, response_status_code: status, trace_id: trace } = data;
  const outcome = reason ?? (status === undefined ? null : `status ${status}`);
  const message = outcome === null ? `${name} failed` : `${name} failed: ${outcome}`;
  const source = data["service.name"] ?? data.resource?.["service.name"] ?? null;
  const url = trace === undefined ? null : `${address}/trace/${encodeURIComponent(trace)}`;
  return { level: "error", message, source, at, url };
}
