import type { Request } from "@whence/protocol";
import type { Span } from "./requests.ts";
import { isServed, toRequest } from "./to-request.ts";

/** Steps from a span up to the request that it was part of. */
const ancestorsMax = 50;

/**
 * Returns a function that finds the request that a span was part of, among the spans that came with it; undefined when
 * its server span didn't.
 */
export function requestAmong(spans: readonly Span[]): (span: Span) => Request | undefined {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const requests = new Map<Span, Request | undefined>();
  return (span) => {
    let at: Span | undefined = span;
    for (let step = 0; at && !isServed(at) && step < ancestorsMax; step++) at = byId.get(at.parentSpanId);
    if (!at || !isServed(at)) return undefined;
    if (!requests.has(at)) requests.set(at, toRequest(at.attributes));
    return requests.get(at);
  };
}
