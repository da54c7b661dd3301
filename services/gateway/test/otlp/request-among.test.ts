import { describe, expect, it } from "vitest";
import { requestAmong } from "../../src/otlp/request-among.ts";
import type { Span } from "../../src/otlp/span-message.ts";
import type { ReceivedSpan } from "../../src/otlp/written-span.ts";

const [internal, server] = [1, 2];

function spanOf(id: number, kind: number, parent: number | null): Span {
  return {
    ...{ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: String(id), parentSpanId: String(parent ?? "") },
    ...{ name: "work", kind, startTimeUnixNano: 0, endTimeUnixNano: 0, events: [], status: undefined },
    attributes: new Map([
      ["http.request.method", "GET"],
      ["url.path", "/orders"],
    ]),
  };
}

describe("the request that spans were part of", () => {
  it("is found with each span read once, even when many of its descendants ask", () => {
    let reads = 0;
    const spans = Array.from({ length: 40 }, (_, id) =>
      spanOf(id, id === 0 ? server : internal, id === 0 ? null : id - 1),
    );
    const received = spans.map((whole): ReceivedSpan => {
      const read = (): Span => {
        reads += 1;
        return whole;
      };
      return { hasIds: true, kind: whole.kind, mayTell: true, isOfSample: true, read, link: read };
    });
    const requestOf = requestAmong(received);
    for (let asked = 0; asked < 100; asked += 1) {
      expect(requestOf(spanOf(100 + asked, internal, 39))).toMatchObject({ method: "GET", path: "/orders" });
    }
    // The link of each, and the whole of the server's.
    expect(reads).toBe(41);
  });
});
