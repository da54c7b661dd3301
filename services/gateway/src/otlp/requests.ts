import { parseJson, WhenceError } from "@whence/protocol";
import { anyValue, attributes, double } from "./any-value.ts";
import {
  Budget,
  type Codec,
  fixed,
  hexId,
  type MessageCodec,
  malformed,
  many,
  message,
  one,
  type Read,
  signedFixed,
  text,
  time,
  whole,
  withDefault,
} from "./codec.ts";
import { receivedSpan } from "./received-span.ts";
import { WireReader } from "./wire-reader.ts";

/** How a request is written, which is how it is answered. */
export type Encoding = "protobuf" | "json";

const resource = message({ attributes: attributes(1) });
const scope = message({ name: withDefault(1, text, ""), version: withDefault(2, text, "") });

const logRecord = message({
  timeUnixNano: withDefault(1, time, 0),
  severityNumber: withDefault(2, whole, 0),
  severityText: withDefault(3, text, ""),
  body: one(5, anyValue),
  attributes: attributes(6),
  traceId: withDefault(9, hexId, ""),
  spanId: withDefault(10, hexId, ""),
  observedTimeUnixNano: withDefault(11, time, 0),
});
export type LogRecord = Read<typeof logRecord>;

const resourceLogs = message({
  resource: one(1, resource),
  scopeLogs: many(2, message({ scope: one(1, scope), logRecords: many(2, logRecord) })),
});

const numberPoint = message({
  startTimeUnixNano: withDefault(2, time, 0),
  timeUnixNano: withDefault(3, time, 0),
  asDouble: one(4, double),
  asInt: one(6, signedFixed),
  attributes: attributes(7),
});
const numbers = message({ dataPoints: many(1, numberPoint) });
/** Of a distribution, only how many values it has; the fields have other numbers in each kind. */
const distribution = (attributesNumber: number) =>
  message({
    dataPoints: many(
      1,
      message({
        startTimeUnixNano: withDefault(2, time, 0),
        timeUnixNano: withDefault(3, time, 0),
        count: withDefault(4, fixed, 0),
        attributes: attributes(attributesNumber),
      }),
    ),
    aggregationTemporality: withDefault(2, whole, 0),
  });
const metric = message({
  name: withDefault(1, text, ""),
  gauge: one(5, numbers),
  sum: one(7, numbers),
  histogram: one(9, distribution(9)),
  exponentialHistogram: one(10, distribution(1)),
  summary: one(11, distribution(7)),
});
export type Metric = Read<typeof metric>;

/** The body of `POST /v1/traces`, with its spans read in a way. */
export function traceRequestOf<One>(read: Codec<One>) {
  const scopeSpans = message({ scope: one(1, scope), spans: many(2, read) });
  const resourceSpans = message({ resource: one(1, resource), scopeSpans: many(2, scopeSpans) });
  return message({ resourceSpans: many(1, resourceSpans) });
}
/** The same with its spans as they came. */
export const traceRequest = traceRequestOf(receivedSpan);
export type TraceRequest = Read<typeof traceRequest>;
/** The body of `POST /v1/logs`. */
export const logRequest = message({ resourceLogs: many(1, resourceLogs) });
export type LogRequest = Read<typeof logRequest>;
/** The body of `POST /v1/metrics`. */
export const metricRequest = message({
  resourceMetrics: many(
    1,
    message({ resource: one(1, resource), scopeMetrics: many(2, message({ metrics: many(2, metric) })) }),
  ),
});
export type MetricRequest = Read<typeof metricRequest>;

/** Reads the body of a request. Throws `WHENCE_ERR_OTLP_BODY` for one that isn't what its encoding says. */
export function readRequest<Request>(codec: MessageCodec<Request>, body: Buffer, encoding: Encoding): Request {
  const budget = new Budget();
  if (encoding === "json") return codec.json(readJson(body), budget);
  try {
    return codec.wholeBinary(new WireReader(body), budget);
  } catch (error) {
    // The reader's own errors say where in its bytes it stopped.
    throw error instanceof WhenceError ? error : malformed("it is no valid protobuf", error);
  }
}

function readJson(body: Buffer): unknown {
  const value = parseJson(body.toString("utf8"));
  if (value === undefined) throw malformed("it is no valid JSON");
  return value;
}
