import type { IncidentSummary } from "@whence/protocol";

/**
 * The incidents of all pages with what the newest answer knows better: new ones first, changed ones where they stand.
 * Ids sort by time, so that what is beyond the newest page stays as it was read.
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
