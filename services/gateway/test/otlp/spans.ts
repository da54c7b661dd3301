import { attribute, type Encoded, encode } from "./encode.ts";

/** A span as a test describes it. */
export interface TestSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startMs?: number;
  readonly endMs?: number;
  readonly attributes?: Readonly<Record<string, string>>;
  /** An attribute with a whole number; only in protobuf. */
  readonly answer?: readonly [name: string, code: number];
  /** Attributes of an event called `exception`, each. */
  readonly exceptions?: readonly Readonly<Record<string, string>>[];
  readonly status?: number;
}

export const at = Date.parse("2026-03-01T11:59:58.250Z");

const nanos = (ms: number): bigint => BigInt(ms) * 1_000_000n;

export const jsonAttributes = (attributes: Readonly<Record<string, string>> = {}) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }));

/** The body of a request to `/v1/traces` in JSON. */
export function jsonTraces(resource: Readonly<Record<string, string>>, spans: readonly TestSpan[]): string {
  const written = spans.map(({ startMs = at, endMs = at, attributes, exceptions = [], status = 0, ...span }) => ({
    ...span,
    startTimeUnixNano: String(nanos(startMs)),
    endTimeUnixNano: String(nanos(endMs)),
    attributes: jsonAttributes(attributes),
    events: exceptions.map((exception) => ({
      timeUnixNano: String(nanos(endMs)),
      name: "exception",
      attributes: jsonAttributes(exception),
    })),
    status: { code: status },
  }));
  const scopeSpans = [{ scope: { name: "test" }, spans: written }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: jsonAttributes(resource) }, scopeSpans }] });
}

/** The same in protobuf. */
export function binaryTraces(resource: Readonly<Record<string, string>>, spans: readonly TestSpan[]): Buffer {
  const attributesOf = (field: number, given: Readonly<Record<string, string>> = {}): Encoded[] =>
    Object.entries(given).map(([key, value]) => attribute(field, key, value));
  const written = spans.map((span): Encoded => {
    const { startMs = at, endMs = at, exceptions = [] } = span;
    return [
      2,
      [
        [1, Buffer.from(span.traceId, "hex")],
        [2, Buffer.from(span.spanId, "hex")],
        [4, Buffer.from(span.parentSpanId ?? "", "hex")],
        [5, span.name],
        [6, { varint: span.kind ?? 0 }],
        [7, { ns: nanos(startMs) }],
        [8, { ns: nanos(endMs) }],
        ...attributesOf(9, span.attributes),
        ...(span.answer
          ? [
              [
                9,
                [
                  [1, span.answer[0]],
                  [2, [[3, { varint: span.answer[1] }]]],
                ],
              ] satisfies Encoded,
            ]
          : []),
        ...exceptions.map(
          (exception): Encoded => [11, [[1, { ns: nanos(endMs) }], [2, "exception"], ...attributesOf(3, exception)]],
        ),
        [15, [[3, { varint: span.status ?? 0 }]]],
      ],
    ];
  });
  const scopeSpans: Encoded = [2, [[1, [[1, "test"]]], ...written]];
  return encode([[1, [[1, attributesOf(1, resource)], scopeSpans]]]);
}

/** A record as a test describes it. */
export interface TestRecord {
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly body?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly traceId?: string;
  readonly spanId?: string;
}

/** The body of a request to `/v1/logs` in JSON. */
export function jsonLogs(resource: Readonly<Record<string, string>>, records: readonly TestRecord[]): string {
  const logRecords = records.map(({ body, attributes, ...record }) => ({
    ...record,
    timeUnixNano: String(nanos(at)),
    ...(body !== undefined && { body: { stringValue: body } }),
    attributes: jsonAttributes(attributes),
  }));
  const scopeLogs = [{ scope: { name: "shop.orders" }, logRecords }];
  return JSON.stringify({ resourceLogs: [{ resource: { attributes: jsonAttributes(resource) }, scopeLogs }] });
}
