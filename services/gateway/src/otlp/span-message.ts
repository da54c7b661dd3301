import { attributes } from "./any-value.ts";
import { hexId, many, message, one, type Read, text, time, whole, withDefault } from "./codec.ts";

/** The name of a span's event that is an exception. */
export const exceptionEvent = "exception";

const spanEvent = message({
  timeUnixNano: withDefault(1, time, 0),
  name: withDefault(2, text, ""),
  attributes: attributes(3),
});
/** All of a {@link Span}. */
export const span = message({
  traceId: withDefault(1, hexId, ""),
  spanId: withDefault(2, hexId, ""),
  parentSpanId: withDefault(4, hexId, ""),
  name: withDefault(5, text, ""),
  kind: withDefault(6, whole, 0),
  startTimeUnixNano: withDefault(7, time, 0),
  endTimeUnixNano: withDefault(8, time, 0),
  attributes: attributes(9),
  events: many(11, spanEvent),
  status: one(15, message({ message: withDefault(2, text, ""), code: withDefault(3, whole, 0) })),
});
/** One step of a trace. Times are milliseconds since 1970. */
export type Span = Read<typeof span>;
/** What of a {@link Span} ties it to others. */
export const spanLink = message({ spanId: withDefault(2, hexId, ""), parentSpanId: withDefault(4, hexId, "") });
export type SpanLink = Read<typeof spanLink>;
