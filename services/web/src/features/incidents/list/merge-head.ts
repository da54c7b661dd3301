import { compareIncidents, type IncidentSort, type IncidentSummary } from "@whence/protocol";

/** Incidents that one request read, and when it was sent (ms since the epoch). */
export interface ReadIncidents {
  readonly incidents: readonly IncidentSummary[];
  readonly readAt: number;
}

/** An incident, and when it was read (ms since the epoch). */
export interface ReadIncident {
  readonly incident: IncidentSummary;
  readonly readAt: number;
}

/** All incidents that the heads of a list have shown, by ID, each as it was read last. */
export type SeenIncidents = Readonly<Record<string, ReadIncident>>;

/** Adds the latest head to what earlier ones have shown. */
export function withHead(seen: SeenIncidents, head: ReadIncidents): SeenIncidents {
  return { ...seen, ...Object.fromEntries(eachOf(head).map((read) => [read.incident.id, read])) };
}

/**
 * Merges what the heads have shown into the incidents of all pages, in the order of the sort: each incident once, as it
 * was read last. What a head showed before the first page was read is left out, unless a page has it: the pages are
 * newer, so it no longer matches or is further down.
 */
export function mergeHead(
  pages: readonly ReadIncidents[],
  seen: SeenIncidents,
  sort: IncidentSort = "newest",
): readonly IncidentSummary[] {
  const from = pages[0]?.readAt ?? 0;
  const latest = new Map<string, ReadIncident>();
  for (const read of [...pages.flatMap(eachOf), ...Object.values(seen).filter(({ readAt }) => readAt >= from)]) {
    const known = latest.get(read.incident.id);
    if (known === undefined || read.readAt >= known.readAt) latest.set(read.incident.id, read);
  }
  return [...latest.values()].map(({ incident }) => incident).sort((a, b) => compareIncidents(a, b, sort));
}

function eachOf({ incidents, readAt }: ReadIncidents): ReadIncident[] {
  return incidents.map((incident) => ({ incident, readAt }));
}
