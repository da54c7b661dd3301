import { randomHex } from "../runtime/uuid.ts";

/**
 * A position in a distributed trace (W3C Trace Context): `traceId` is shared by all services that serve one request.
 */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hex digits; bit 0 means that the caller samples. */
  readonly flags: string;
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const sampled = "01";

/** Parses a `traceparent` header; undefined when it is missing or invalid. */
export function readTraceparent(header: string | readonly string[] | undefined): Trace | undefined {
  const [, traceId, spanId, flags] = (typeof header === "string" && traceparent.exec(header)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags };
}

/** Returns a new position in the caller's trace, or in a new one. */
export function startTrace(caller: Trace | undefined): Trace {
  return { traceId: caller?.traceId ?? randomHex(16), spanId: randomHex(8), flags: caller?.flags ?? sampled };
}
