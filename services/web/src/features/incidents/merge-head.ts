import { compareIncidents, type IncidentSort, type IncidentSummary } from "@whence/protocol";

/**
 * Merges the latest first page into the incidents of all pages, in their order: new and changed ones are where it has
 * them, and everything beyond it stays as it was.
 */
export function mergeHead(
  pages: readonly IncidentSummary[],
  head: readonly IncidentSummary[],
  sort: IncidentSort = "newest",
): readonly IncidentSummary[] {
  const latest = new Map(head.map((incident) => [incident.id, incident]));
  const known = new Set(pages.map(({ id }) => id));
  const added = head.filter(({ id }) => !known.has(id));
  return [...added, ...pages.map((incident) => latest.get(incident.id) ?? incident)].sort((a, b) =>
    compareIncidents(a, b, sort),
  );
}
