import { withCounts } from "@whence/engine";
import { type Incident, WhenceError } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";

/**
 * Returns the incident with the current impact. Keeps the report's counts when nothing arrived since, and while the
 * event store doesn't answer.
 */
export async function withCurrentImpact(events: ScopedEvents, incident: Incident): Promise<Incident> {
  const { report, fingerprint, occurrences, trigger } = incident;
  if (!report || fingerprint === null || !occurrences || trigger.kind !== "event") return incident;
  const { events: counted, last_seen: knownUntil } = report.impact;
  if (occurrences.events <= counted && knownUntil !== null && occurrences.last_seen <= knownUntil) return incident;
  const totals = await events.failure(fingerprint, occurrences.last_seen).catch(unlessUnavailable);
  if (!totals || totals.events <= counted) return incident;
  const { firstSeen, lastSeen, services, routes, hosts, releases } = totals;
  const counts = {
    events: totals.events,
    first_seen: firstSeen,
    last_seen: lastSeen,
    services: [...services],
    routes: [...routes],
    hosts: [...hosts],
    releases: [...releases],
  };
  return { ...incident, report: { ...report, impact: withCounts(report.impact, counts) } };
}

const statusUnavailable = 503;

function unlessUnavailable(error: unknown): null {
  if (error instanceof WhenceError && error.status === statusUnavailable) return null;
  throw error;
}
