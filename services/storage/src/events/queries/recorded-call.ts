import type { StoredSpan } from "../spans.ts";
import type { RecordedCall } from "../surroundings.ts";

/**
 * Returns the request that a client's span describes; null for any other span. A call that was
 * answered has no error: its status says how.
 */
export function recordedCall(span: StoredSpan): RecordedCall | null {
  const { at, kind, category, method, target: url, statusCode, durationMs, error } = span;
  if (kind !== "client" || (category !== "http" && category !== "rpc") || url === "") return null;
  const failed = error === null || statusCode !== null ? null : error || "the call failed";
  return { at, method, url, statusCode, durationMs, error: failed, isOfProcess: false };
}
