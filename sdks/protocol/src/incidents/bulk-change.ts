import { z } from "zod";
import { lifecycleChangeSchema } from "./lifecycle.ts";

/** The limits of a change of several incidents. */
export const bulkChangeLimits = {
  /** Incidents that one request changes: a page of a list. */
  incidentsPerChangeMax: 100,
  incidentIdLengthMax: 60,
} as const;

const idSchema = z.string().min(1).max(bulkChangeLimits.incidentIdLengthMax);

/** The body of `POST /api/incidents/changes`. */
export const bulkChangeSchema = z.object({
  ids: z.array(idSchema).min(1).max(bulkChangeLimits.incidentsPerChangeMax),
  /** What is decided about each, or that the one who asks takes it. */
  change: z.discriminatedUnion("action", [...lifecycleChangeSchema.options, z.object({ action: z.literal("take") })]),
});
export type BulkChange = z.infer<typeof bulkChangeSchema>;

/** The answer: what became of each incident, in the order in which they were named. */
export const bulkResultSchema = z.object({
  results: z.array(
    z.discriminatedUnion("outcome", [
      z.object({ id: z.string(), outcome: z.enum(["changed", "unchanged"]) }),
      /** With the error that a change of this incident alone is refused with. */
      z.object({ id: z.string(), outcome: z.literal("refused"), code: z.string(), message: z.string() }),
    ]),
  ),
});
export type BulkResult = z.infer<typeof bulkResultSchema>;
