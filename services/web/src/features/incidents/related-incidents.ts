import type { Incident, IncidentSummary } from "@whence/protocol";

/** Returns the first `max` incidents of some lists, each once, without the incident itself. */
export function relatedIncidents(
  { id }: Pick<Incident, "id">,
  found: readonly (readonly IncidentSummary[])[],
  max: number,
): IncidentSummary[] {
  const byId = new Map(found.flat().map((one) => [one.id, one]));
  byId.delete(id);
  return [...byId.values()].slice(0, max);
}

/** Returns how an incident is related: the same failure, or another one of the service. */
export function relationOf(
  { fingerprint, service }: Pick<IncidentSummary, "fingerprint" | "service">,
  to: Pick<Incident, "fingerprint">,
): string {
  return fingerprint !== null && fingerprint === to.fingerprint ? "Same failure" : `Also in ${service}`;
}
