import type { IncidentSummary } from "./incident-summary.ts";

/** The orders of a list of incidents: what opened last, occurred last, occurred most, or is explained best comes first. */
export const incidentSorts = ["newest", "last-seen", "events", "confidence"] as const;
export type IncidentSort = (typeof incidentSorts)[number];

/** What an incident is ordered by. */
export type Sortable = Pick<IncidentSummary, "id" | "created_at" | "occurrences" | "confidence">;

/** Less than any confidence, for an incident without one. */
const noConfidence = -1;

/** What an order compares, the largest first; incidents with an equal value are ordered by their ids, which sort by time. */
export function sortValue(
  { created_at: opened, occurrences, confidence }: Sortable,
  sort: IncidentSort,
): string | number {
  switch (sort) {
    case "newest":
      return "";
    case "last-seen":
      return occurrences?.last_seen ?? opened;
    case "events":
      return occurrences?.events ?? 0;
    case "confidence":
      return confidence ?? noConfidence;
  }
}

/** Compares two incidents in an order. */
export function compareIncidents(one: Sortable, other: Sortable, sort: IncidentSort): number {
  const [left, right] = [sortValue(one, sort), sortValue(other, sort)];
  if (left === right) return one.id < other.id ? 1 : -1;
  return left < right ? 1 : -1;
}
