import { WireType } from "@bufbuild/protobuf/wire";
import { type Codec, endOf } from "./codec.ts";
import { type Span, span } from "./span-message.ts";
import { isSpanId, isTraceId } from "./trace-ids.ts";
import { type ReceivedSpan, WrittenSpan } from "./written-span.ts";

/** Spans in both encodings. One in protobuf is passed over, which refuses what reading it would refuse. */
export const receivedSpan: Codec<ReceivedSpan> = {
  wireType: WireType.LengthDelimited,
  binary(reader, budget) {
    const { pos: start } = reader;
    span.pass(reader, budget);
    const { pos: end } = reader;
    reader.pos = start;
    endOf(reader);
    return new WrittenSpan(reader, end);
  },
  pass: span.pass,
  json: (value, budget) => readSpan(span.json(value, budget)),
};

function readSpan(whole: Span): ReceivedSpan {
  const { kind, traceId, spanId } = whole;
  const hasIds = isTraceId(traceId) && isSpanId(spanId);
  return { hasIds, kind, mayTell: true, isOfSample: true, read: () => whole, link: () => whole };
}
