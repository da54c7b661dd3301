/** What a span is: the handling of a request or a message, or a call to what handles one. */
export const traceSpanKinds = ["server", "client", "producer", "consumer"] as const;

/** One step of a trace, as far as it is kept. */
export interface StoredSpan {
  readonly scopeId: string;
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly instance: string;
  readonly host: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly kind: (typeof traceSpanKinds)[number];
  /** RFC 3339: when it began. */
  readonly at: string;
  readonly durationMs: number;
  readonly name: string;
  /** What was called, or handled: a request over HTTP or another protocol, a statement of a database, or a message. */
  readonly category: "http" | "rpc" | "db" | "messaging" | "";
  /** The method of a request, or the operation of a statement; empty when unknown. */
  readonly method: string;
  /** The URL or the path of a request, the statement, or the destination of a message; empty when unknown. */
  readonly target: string;
  /** The host that was called, with its port; empty when unknown. */
  readonly peer: string;
  readonly statusCode: number | null;
  /** Null when it did not fail. */
  readonly error: string | null;
  /** The number of spans that it represents, as sampling keeps one of several. */
  readonly weight: number;
  /** RFC 3339 with milliseconds: when the gateway took it. */
  readonly receivedAt: string;
  /** How long its organization keeps telemetry, if that is less than spans are kept. */
  readonly retentionDays?: number;
}
