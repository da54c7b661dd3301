import type { Request } from "@whence/protocol";
import type { Span } from "./span-message.ts";
import { isServed, toRequest } from "./to-request.ts";
import type { ReceivedSpan } from "./written-span.ts";

/** Steps from a span up to the request that it was part of. */
const ancestorsMax = 50;

/**
 * Returns a function that finds the request that a span was part of, among the spans that came with it; undefined when
 * its server span didn't. IDs of the others are read when a span that is no server's asks.
 */
export function requestAmong(spans: readonly ReceivedSpan[]): (span: Span) => Request | undefined {
  let byId: ReadonlyMap<string, ReceivedSpan> | undefined;
  const parentOf = (id: string): ReceivedSpan | undefined => {
    byId ??= new Map(spans.map((span) => [span.link().spanId, span]));
    return byId.get(id);
  };
  const requests = new Map<ReceivedSpan, Request | undefined>();
  return (span) => {
    if (isServed(span)) return toRequest(span.attributes);
    let at = parentOf(span.parentSpanId);
    for (let step = 1; at && !isServed(at) && step < ancestorsMax; step++) at = parentOf(at.link().parentSpanId);
    if (!at || !isServed(at)) return undefined;
    if (!requests.has(at)) requests.set(at, toRequest(at.read().attributes));
    return requests.get(at);
  };
}
