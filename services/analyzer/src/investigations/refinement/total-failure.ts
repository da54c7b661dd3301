import { minuteMs, type Severity } from "@whence/protocol";
import type { ScopedEvents, StoredEvent } from "@whence/storage";

/** How far back requests are counted: further back, the service may have been a different one. */
const windowMs = 4 * 60 * minuteMs;
/** How long after the event heartbeats count. */
const aheadMs = 5 * minuteMs;
/** Fewer failed requests than this may be a coincidence. */
const requestsFrom = 5;

/**
 * Whether the service has answered every request with a server error since the failure was first seen. A heartbeat covers the
 * minute before it, so one may still count a success from before the failure.
 */
export async function failsEveryTime(
  events: ScopedEvents,
  { event, env, service, fingerprint }: StoredEvent,
): Promise<boolean> {
  if (!event.request) return false;
  const at = Date.parse(event.timestamp);
  const known = await events.failure(fingerprint);
  const firstSeen = known ? Math.min(at, Date.parse(known.firstSeen)) : at;
  const from = Math.max(firstSeen, at - windowMs);
  const span = { env, from: new Date(from).toISOString(), to: new Date(at + aheadMs).toISOString() };
  const minutes = await events.answers({ ...span, service });
  const requests = minutes.reduce((sum, minute) => sum + minute.requests, 0);
  return requests >= requestsFrom && minutes.every((minute) => minute.failed === minute.requests);
}

/** The least severity of an incident by how many requests it affects. */
export async function leastSeverity(events: ScopedEvents, failing: StoredEvent | null): Promise<Severity | null> {
  return failing && (await failsEveryTime(events, failing)) ? "high" : null;
}
