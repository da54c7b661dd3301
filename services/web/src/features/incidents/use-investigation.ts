import { useQueryClient } from "@tanstack/react-query";
import type { IncidentStatus, IncidentStep } from "@whence/protocol";
import { useEffect, useState } from "react";
import { followIncident } from "../../lib/event-stream.ts";
import { incidentQuery } from "./api/get-incident.ts";

/** The steps of an investigation, followed while it runs; the incident is the ended one as soon as it ends. */
export function useInvestigation(id: string, status: IncidentStatus): readonly IncidentStep[] {
  const queryClient = useQueryClient();
  const [steps, setSteps] = useState<readonly IncidentStep[]>([]);
  const isRunning = status === "queued" || status === "investigating";
  useEffect(() => {
    if (!isRunning) return;
    setSteps([]);
    return followIncident(id, {
      // An attempt that starts over counts from 1 again.
      onStep: (step) => setSteps((before) => [...before.filter(({ seq }) => seq < step.seq), step]),
      onIncident: (incident) => queryClient.setQueryData(incidentQuery(id).queryKey, incident),
    });
  }, [id, isRunning, queryClient]);
  return steps;
}
