import { bulkChangeLimits } from "@whence/protocol";
import { useCallback, useState } from "react";
import { toasts } from "../../../components/toasts.tsx";
import type { IncidentFilter } from "./incident-filter.ts";

/** The incidents of a list that are selected, at most as many as one request changes. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  toggle(id: string): void;
  replace(ids: readonly string[]): void;
}

/** The IDs that were selected, and the filter whose list they were selected in. */
export interface Selected {
  readonly filter: string;
  readonly ids: ReadonlySet<string>;
}

const max = bulkChangeLimits.incidentsPerChangeMax;

/** Says why another incident isn't selected. */
export const noRoom = {
  title: `${max} incidents are selected, the most that can change at once`,
  description: "Change these first, or clear one to select another.",
};

/** An empty selection at first, and whenever the filter changes. */
export function useSelection(filter: IncidentFilter): Selection {
  const [selected, setSelected] = useState(() => selectedIn(null, filter));
  const current = selectedIn(selected, filter);
  // Set while rendering, so that a hidden selection doesn't return with its filter.
  if (current !== selected) setSelected(current);
  const { ids } = current;
  const replace = useCallback(
    (wanted: readonly string[]) => setSelected((before) => ({ ...before, ids: new Set(wanted.slice(0, max)) })),
    [],
  );
  const toggle = useCallback(
    (id: string) => {
      if (toggled(ids, id) === ids) toasts.add(noRoom);
      setSelected((before) => ({ ...before, ids: toggled(before.ids, id) }));
    },
    [ids],
  );
  return { ids, toggle, replace };
}

/** Returns the same selection while its filter is the same, and an empty one for another filter. */
export function selectedIn(before: Selected | null, filter: IncidentFilter): Selected {
  const key = JSON.stringify(filter);
  return before?.filter === key ? before : { filter: key, ids: new Set() };
}

/** The ids with one more, or one less; the same when there is no room for another one. */
export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  if (ids.has(id)) return new Set([...ids].filter((one) => one !== id));
  return ids.size < max ? new Set([...ids, id]) : ids;
}
