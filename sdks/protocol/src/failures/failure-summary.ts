import { z } from "zod";
import { decisionSchema } from "../incidents/incident.ts";

/** A failure and the decisions about it, including the decision to open no incident. Times are RFC 3339 UTC. */
export const failureSummarySchema = z.object({
  fingerprint: z.string(),
  service: z.string(),
  env: z.string(),
  title: z.string(),
  /** Occurrences since `first_seen`. */
  events: z.int().min(0),
  first_seen: z.string(),
  last_seen: z.string(),
  /** The incident that the failure belongs to, or belonged to when it last occurred. */
  incident_id: z.string().nullable(),
  /** The latest decision, and when it was made. */
  decision: decisionSchema,
  decided_at: z.string(),
  /** All decisions, one for each outcome and rule, the latest first. */
  decisions: z.array(decisionSchema.extend({ first_at: z.string(), last_at: z.string(), last_event_id: z.string() })),
});
export type FailureSummary = z.infer<typeof failureSummarySchema>;

/** The answer of `GET /api/failures`. */
export const failureListSchema = z.object({ failures: z.array(failureSummarySchema) });
export type FailureList = z.infer<typeof failureListSchema>;

/** The answer of `GET /api/failures/hours`: events by hour and environment, hours without any left out. */
export const failureHoursSchema = z.object({
  hours: z.array(
    z.object({
      fingerprint: z.string(),
      env: z.string(),
      /** At the full hour. */
      hour: z.string(),
      events: z.int().min(0),
    }),
  ),
});
export type FailureHours = z.infer<typeof failureHoursSchema>;
