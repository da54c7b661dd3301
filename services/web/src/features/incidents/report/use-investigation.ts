import { useQueryClient } from "@tanstack/react-query";
import type { IncidentStep } from "@whence/protocol";
import { useEffect, useState } from "react";
import { followIncident } from "../../../lib/event-stream.ts";
import { incidentQuery } from "../api/get-incident.ts";
import { withStep } from "./followed-steps.ts";

/**
 * Returns the steps of an investigation: live while it runs, or of the past one; null reads none. Updates the incident
 * with each version of its report.
 */
export function useInvestigation(id: string, which: "live" | "past" | null): readonly IncidentStep[] {
  const queryClient = useQueryClient();
  const [steps, setSteps] = useState<readonly IncidentStep[]>([]);
  useEffect(() => {
    if (which === null) return;
    setSteps([]);
    return followIncident(id, {
      onStep: (step) => setSteps((before) => withStep(before, step)),
      onIncident: (incident) => queryClient.setQueryData(incidentQuery(id).queryKey, incident),
    });
  }, [id, which, queryClient]);
  return steps;
}
