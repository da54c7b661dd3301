import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Incident } from "@whence/protocol";
import { useEffect, useRef } from "react";
import { occurrencesKey } from "./get-occurrences.ts";
import { incidentTelemetryQuery } from "./get-telemetry.ts";

/** Reads the events of an incident's failure again, and how often it occurred, when its count has changed. */
export function useFreshEvents({ id, occurrences }: Pick<Incident, "id" | "occurrences">): void {
  const queryClient = useQueryClient();
  const count = occurrences?.events ?? 0;
  const known = useRef(count);
  useEffect(() => {
    if (known.current === count) return;
    known.current = count;
    refreshEvents(queryClient, id);
  }, [queryClient, id, count]);
}

/** Marks the events of an incident, and its telemetry, as outdated: what a page shows is read again. */
export function refreshEvents(queryClient: QueryClient, id: string): void {
  for (const queryKey of [occurrencesKey(id), incidentTelemetryQuery(id).queryKey]) {
    void queryClient.invalidateQueries({ queryKey });
  }
}
