import { type Incident, type IncidentStep, incidentSchema, incidentStepSchema } from "@whence/protocol";

export interface IncidentListener {
  readonly onStep: (step: IncidentStep) => void;
  /** Called with the incident for each version of its report, as long as it is refined. */
  readonly onIncident: (incident: Incident) => void;
}

/**
 * Follows an investigation until its report is final or the returned function is called; reconnects when the connection
 * is lost.
 */
export function followIncident(id: string, { onStep, onIncident }: IncidentListener): () => void {
  const source = new EventSource(`/api/incidents/${encodeURIComponent(id)}/events`);
  source.addEventListener("step", ({ data }: MessageEvent<string>) =>
    onStep(incidentStepSchema.parse(JSON.parse(data))),
  );
  source.addEventListener("incident", ({ data }: MessageEvent<string>) => {
    const incident = incidentSchema.parse(JSON.parse(data));
    if (!incident.refinement?.refining) source.close();
    onIncident(incident);
  });
  return () => source.close();
}
