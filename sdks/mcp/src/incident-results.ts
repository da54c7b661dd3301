import type { Incident, IncidentSummary } from "@whence/protocol";
import { incidentStatuses, lifecycleStates, severities } from "@whence/protocol";
import { z } from "zod";
import { provenanceOf, provenanceSchema } from "./provenance.ts";
import { rcaResult, rcaResultSchema } from "./rca-result.ts";

const authors = z.record(z.string(), provenanceSchema).describe("who wrote these fields and how they may be used");

const listedSchema = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  service: z.string().nullable(),
  env: z.string().nullable(),
  severity: z.enum(severities).nullable(),
  status: z.enum(incidentStatuses).describe("of the investigation"),
  state: z.enum(lifecycleStates).describe("what people decided"),
  created_at: z.string(),
  root_cause_summary: z.string().nullable(),
  confidence: z.number().nullable(),
});

/** The structured content of `list_incidents`. */
export const incidentListSchema = z.object({
  incidents: z.array(listedSchema),
  next: z.string().nullable().describe("pass it as before to get the next page; null on the last one"),
  provenance: authors,
});
export type IncidentList = z.infer<typeof incidentListSchema>;

/** The structured content of `get_incident` and of the tools that change an incident. */
export const incidentResultSchema = rcaResultSchema.omit({ agent: true }).extend({
  service: z.string().nullable(),
  env: z.string().nullable(),
  state: z.enum(lifecycleStates).describe("what people decided"),
  owner: z.string().nullable().describe("the name of the member who takes care of it"),
  patch: z
    .object({ what: z.string(), diff: z.string() })
    .optional()
    .describe("the change that the report suggests, as a unified diff"),
});
export type IncidentResult = z.infer<typeof incidentResultSchema>;

/** Returns a page of incidents as the tool shows it. */
export function incidentList(incidents: readonly IncidentSummary[], next: string | null): IncidentList {
  return {
    incidents: incidents.map((incident) => {
      const { id, url, title, service, env, severity, status, lifecycle } = incident;
      const { created_at, root_cause_summary, confidence } = incident;
      return {
        id,
        url,
        title,
        service,
        env,
        severity,
        status,
        state: lifecycle.state,
        created_at,
        root_cause_summary,
        confidence,
      };
    }),
    next,
    provenance: provenanceOf(["incidents"]),
  };
}

/** Returns an incident with its report and the patch that it suggests. */
export function incidentResult(incident: Incident): IncidentResult {
  const { id, url, status, service, env, lifecycle, owner, report } = incident;
  const { agent: _, provenance, ...result } = rcaResult({ incident_id: id, url, status }, incident, null);
  const patch = report?.patch && { what: report.patch.what, diff: report.patch.diff };
  return {
    ...result,
    service,
    env,
    state: lifecycle.state,
    owner: owner?.name ?? null,
    ...(patch && { patch }),
    provenance: { ...provenance, ...provenanceOf(["owner"]), ...(patch && provenanceOf(["patch"])) },
  };
}
