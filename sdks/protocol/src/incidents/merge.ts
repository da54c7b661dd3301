import { z } from "zod";
import { bulkChangeLimits } from "./bulk-change.ts";

const { incidentIdLengthMax, incidentsPerChangeMax } = bulkChangeLimits;

/** The body of `POST /api/incidents/{id}/merge`: the incidents that become part of that one. */
export const mergeRequestSchema = z.object({
  ids: z.array(z.string().min(1).max(incidentIdLengthMax)).min(1).max(incidentsPerChangeMax),
});
export type MergeRequest = z.infer<typeof mergeRequestSchema>;
