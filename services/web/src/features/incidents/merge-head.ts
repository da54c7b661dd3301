import type { IncidentSummary } from "@whence/protocol";

/**
 * Merges the newest response into the incidents of all pages: new ones come first, and changed ones stay in place. IDs
 * sort by time, so everything beyond the newest page stays as it was.
 */
export function mergeHead(
  pages: readonly IncidentSummary[],
  head: readonly IncidentSummary[],
): readonly IncidentSummary[] {
  const latest = new Map(head.map((incident) => [incident.id, incident]));
  const known = new Set(pages.map(({ id }) => id));
  const added = head.filter(({ id }) => !known.has(id));
  return [...added, ...pages.map((incident) => latest.get(incident.id) ?? incident)].sort((a, b) =>
    a.id < b.id ? 1 : -1,
  );
}
