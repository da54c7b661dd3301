import { type Incident, type IncidentStep, incidentSchema, incidentStepSchema } from "@whence/protocol";

export interface IncidentListener {
  readonly onStep: (step: IncidentStep) => void;
  /** The ended incident: nothing comes after it. */
  readonly onIncident: (incident: Incident) => void;
}

/** Follows an investigation until it ends or the returned function is called; a lost connection is taken up again. */
export function followIncident(id: string, { onStep, onIncident }: IncidentListener): () => void {
  const source = new EventSource(`/api/incidents/${encodeURIComponent(id)}/events`);
  source.addEventListener("step", ({ data }: MessageEvent<string>) =>
    onStep(incidentStepSchema.parse(JSON.parse(data))),
  );
  source.addEventListener("incident", ({ data }: MessageEvent<string>) => {
    source.close();
    onIncident(incidentSchema.parse(JSON.parse(data)));
  });
  return () => source.close();
}
