import { z } from "zod";
import { eventSchema, hostSchema } from "../telemetry/telemetry.ts";
import { analysisPreviewSchema } from "./analysis-preview.ts";

/** One event of an incident's failure, in a list. Times are RFC 3339. */
export const occurrenceSchema = z.object({
  event_id: z.string(),
  at: z.string(),
  service: z.string(),
  env: z.string(),
  /** Empty when its process reported none. */
  release: z.string(),
  host: z.string(),
  instance: z.string(),
  /** The route, or else the path, of the request that it happened in; null outside of any. */
  route: z.string().nullable(),
  user_agent: z.string().nullable(),
});
export type Occurrence = z.infer<typeof occurrenceSchema>;

/** The answer of `GET /api/incidents/{id}/occurrences`, the newest first. */
export const occurrencePageSchema = z.object({
  occurrences: z.array(occurrenceSchema),
  /** The `before` of the next page; null on the last one. */
  next: z.string().nullable(),
});
export type OccurrencePage = z.infer<typeof occurrencePageSchema>;

/** The answer of `GET /api/incidents/{id}/occurrences/{event_id}`: one event as it is stored. */
export const occurrenceDetailSchema = z.object({
  occurrence: occurrenceSchema,
  event: eventSchema,
  host: hostSchema,
  sdk: z.object({ name: z.string(), version: z.string() }),
  received_at: z.string(),
  /** The IDs of the events of the failure before and after it; null where there is none. */
  newer: z.string().nullable(),
  older: z.string().nullable(),
});
export type OccurrenceDetail = z.infer<typeof occurrenceDetailSchema>;

/** The answer of `GET /api/incidents/{id}/input`: the text that an analysis started from, and how it is read. */
export const incidentInputSchema = z.object({
  /** Null for an incident of telemetry, and once the text has expired. */
  text: z.string().nullable(),
  read: analysisPreviewSchema.nullable(),
});
export type IncidentInputText = z.infer<typeof incidentInputSchema>;
