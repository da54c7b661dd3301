import { useQuery } from "@tanstack/react-query";
import type { FailureHours, IncidentSummary } from "@whence/protocol";
import { useEffect, useMemo, useState } from "react";
import { failureHoursQuery } from "../api/get-failure-hours.ts";

/** As many failures as one request takes. */
const shownMax = 100;
/** Rows that scroll past faster than this aren't asked about. */
const restMs = 250;

/** Returns how often an incident's failure occurred in each hour of the last day, hours without events left out. */
export type TrendOf = (incident: Pick<IncidentSummary, "fingerprint" | "env">) => FailureHours["hours"];

/** The trends of the incidents that rest on the screen. */
export function useTrends(shown: readonly IncidentSummary[]): TrendOf {
  const names = shown.flatMap(({ fingerprint }) => fingerprint ?? []);
  const resting = useResting([...new Set(names)].toSorted().slice(0, shownMax).join("\n"));
  const fingerprints = resting === "" ? [] : resting.split("\n");
  const { data: hours } = useQuery(failureHoursQuery(fingerprints));
  return useMemo(() => {
    const byFailure = Map.groupBy(hours ?? [], ({ fingerprint }) => fingerprint);
    return ({ fingerprint, env }) =>
      (fingerprint === null ? [] : (byFailure.get(fingerprint) ?? [])).filter(
        (hour) => env === null || hour.env === env,
      );
  }, [hours]);
}

/** A value once it has stayed the same for a moment. */
function useResting(value: string): string {
  const [resting, setResting] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setResting(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return resting;
}
