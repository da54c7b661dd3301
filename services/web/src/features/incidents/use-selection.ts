import { bulkChangeLimits } from "@whence/protocol";
import { useCallback, useState } from "react";

/** The incidents of a list that are selected, at most as many as one request changes. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  toggle(id: string): void;
  replace(ids: readonly string[]): void;
}

/** An empty selection at first. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const replace = useCallback(
    (wanted: readonly string[]) => setIds(new Set(wanted.slice(0, bulkChangeLimits.incidentsPerChangeMax))),
    [],
  );
  const toggle = useCallback((id: string) => setIds((before) => toggled(before, id)), []);
  return { ids, toggle, replace };
}

/** The ids with one more, or one less; the same when there is no room for another one. */
export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  if (ids.has(id)) return new Set([...ids].filter((one) => one !== id));
  return ids.size < bulkChangeLimits.incidentsPerChangeMax ? new Set([...ids, id]) : ids;
}
