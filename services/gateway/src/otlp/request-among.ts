import type { Request } from "@whence/protocol";
import type { Span } from "./span-message.ts";
import { isServed, toRequest } from "./to-request.ts";
import type { ReceivedSpan } from "./written-span.ts";

/** Steps from a span up to the request that it was part of. */
const ancestorsMax = 50;

/** A span, and the one that it is a part of: read once, as thousands may ask for the same. */
interface Linked {
  readonly received: ReceivedSpan;
  readonly parentSpanId: string;
}

/**
 * Returns a function that finds the request that a span was part of, among the spans that came with it; undefined when
 * its server span didn't. IDs of the others are read when a span that is no server's asks.
 */
export function requestAmong(spans: readonly ReceivedSpan[]): (span: Span) => Request | undefined {
  let byId: ReadonlyMap<string, Linked> | undefined;
  const parentOf = (id: string): Linked | undefined => {
    byId ??= new Map(
      spans.map((received) => {
        const { spanId, parentSpanId } = received.link();
        return [spanId, { received, parentSpanId }];
      }),
    );
    return byId.get(id);
  };
  const requests = new Map<ReceivedSpan, Request | undefined>();
  return (span) => {
    if (isServed(span)) return toRequest(span.attributes);
    let at = parentOf(span.parentSpanId);
    for (let step = 1; at && !isServed(at.received) && step < ancestorsMax; step++) at = parentOf(at.parentSpanId);
    const server = at?.received;
    if (!server || !isServed(server)) return undefined;
    if (!requests.has(server)) requests.set(server, toRequest(server.read().attributes));
    return requests.get(server);
  };
}
