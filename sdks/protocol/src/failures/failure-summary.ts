import { z } from "zod";
import { decisionSchema } from "../incidents/incident.ts";

/** A failure, what was decided about it and why: also one that became no incident. Times are RFC 3339 UTC. */
export const failureSummarySchema = z.object({
  fingerprint: z.string(),
  service: z.string(),
  env: z.string(),
  title: z.string(),
  /** How often it came since it was first seen. */
  events: z.int().min(0),
  first_seen: z.string(),
  last_seen: z.string(),
  /** The incident that it belongs to, or belonged to when it came before. */
  incident_id: z.string().nullable(),
  /** The latest, and when it was taken. */
  decision: decisionSchema,
  decided_at: z.string(),
  /** All of them, one for each outcome and rule, the latest first. */
  decisions: z.array(decisionSchema.extend({ first_at: z.string(), last_at: z.string(), last_event_id: z.string() })),
});
export type FailureSummary = z.infer<typeof failureSummarySchema>;

/** The answer of `GET /api/failures`. */
export const failureListSchema = z.object({ failures: z.array(failureSummarySchema) });
export type FailureList = z.infer<typeof failureListSchema>;
