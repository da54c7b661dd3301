import { hourMs, minuteMs } from "@whence/protocol";
import type { StoredIncident } from "@whence/storage";

/** The time considered before an incident opened, and after that and its last event. */
export const reachMs = hourMs;
/** The latest part of a failure that lasts longer is considered. */
const spanMs = 24 * hourMs;

/** A span in whole minutes, RFC 3339, `to` excluded. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Returns the span of an incident's telemetry: from before it opened until after its last event, a day at most. */
export function telemetrySpan(
  { created_at, occurrences }: Pick<StoredIncident, "created_at" | "occurrences">,
  now: number,
): Span {
  const opened = Date.parse(created_at);
  const last = Math.max(opened, occurrences === undefined ? opened : Date.parse(occurrences.last_seen));
  const end = Math.ceil(Math.max(opened + minuteMs, Math.min(now, last + reachMs)) / minuteMs) * minuteMs;
  const begin = Math.max(Math.floor((opened - reachMs) / minuteMs) * minuteMs, end - spanMs);
  return { from: new Date(begin).toISOString(), to: new Date(end).toISOString() };
}
