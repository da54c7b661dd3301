import { z } from "zod";
import { categorySchema } from "../failures/category.ts";
import { incidentSchema } from "./incident.ts";

/** One row of `GET /api/incidents`: an incident, with a summary of its report. */
export const incidentSummarySchema = incidentSchema.omit({ report: true, joined_failures: true }).extend({
  /** Other services whose failures joined it. */
  also_in: z.array(z.string()).optional(),
  /** This and the next two fields are from the report; null without one. */
  category: categorySchema.nullable(),
  root_cause_summary: z.string().nullable(),
  confidence: z.number().min(0).max(1).nullable(),
});
export type IncidentSummary = z.infer<typeof incidentSummarySchema>;

/** The answer of `GET /api/incidents`. */
export const incidentPageSchema = z.object({
  incidents: z.array(incidentSummarySchema),
  /** The `before` of the next page; null on the last one. */
  next: z.string().nullable(),
});
export type IncidentPage = z.infer<typeof incidentPageSchema>;
