import type { Severity } from "@whence/protocol";
import type { ScopedEvents, StoredEvent } from "@whence/storage";

const minuteMs = 60_000;
/** How far back requests are counted: longer ago the service may have been another one. */
const windowMs = 4 * 60 * minuteMs;
/** How long after the event heartbeats are looked for. */
const aheadMs = 5 * minuteMs;
/** A service that failed fewer requests than this may only have had bad luck. */
const requestsFrom = 5;

/**
 * Whether the service has answered every request with a server error since the failure was first seen. A heartbeat
 * counts the minute before it; one that counts a success from before that moment is taken as a success.
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

/** How severe an incident is at least, by how many it hits. */
export async function leastSeverity(events: ScopedEvents, failing: StoredEvent | null): Promise<Severity | null> {
  return failing && (await failsEveryTime(events, failing)) ? "high" : null;
}
