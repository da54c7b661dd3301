import type { SavedView, ViewChange } from "@whence/protocol";
import { type IncidentFilter, incidentFilterSchema } from "./incident-filter.ts";

/** The filter of a list as a view keeps it. */
export function keptFilter(filter: IncidentFilter): ViewChange["filter"] {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** The filter of a view, as far as the list still has what it kept. */
export function filterOf({ filter }: Pick<SavedView, "filter">): IncidentFilter {
  return incidentFilterSchema.parse(filter);
}

/** The view that has this filter; undefined when none has. */
export function appliedView(views: readonly SavedView[], filter: IncidentFilter): SavedView | undefined {
  const current = sorted(keptFilter(filter));
  return views.find((view) => sorted(keptFilter(filterOf(view))) === current);
}

function sorted(filter: ViewChange["filter"]): string {
  return JSON.stringify(Object.entries(filter).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
