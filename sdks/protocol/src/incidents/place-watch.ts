import { z } from "zod";
import { watchedSchema, watchLimits, watchStates } from "../telemetry/watch-order.ts";
import { timestampSchema } from "../text.ts";
import { watchPlaceSchema } from "./watched-run.ts";

/** The body of `POST /api/incidents/{id}/watch`. */
export const newWatchSchema = z.object({
  minutes: z.int().min(1).max(watchLimits.watchMinutesMax).default(watchLimits.watchMinutesMax),
});

/** Places of a report that running processes are asked to watch. */
export const placeWatchSchema = z.object({
  id: z.string(),
  incident_id: z.string(),
  service: z.string(),
  env: z.string(),
  release: z.string(),
  created_at: timestampSchema,
  /** The name of the member or key that asked. */
  created_by: z.string(),
  expires_at: timestampSchema,
  /** Null unless someone stopped it before. */
  stopped_at: timestampSchema.nullable(),
  places: z.array(watchPlaceSchema),
  /** What a process answered last; null before any has. */
  process: z.object({ state: z.enum(watchStates), reason: z.string().nullable(), at: timestampSchema }).nullable(),
  /** How many processes did what with it. */
  processes: z.object({ armed: z.int(), refused: z.int(), ended: z.int() }),
  /** Failures that carried what was seen, and the last of them; null before the first. */
  seen: z.object({ failures: z.int().min(1), event_id: z.string(), at: timestampSchema }).nullable(),
});
export type PlaceWatch = z.infer<typeof placeWatchSchema>;

/** The answer to `GET /api/incidents/{id}/watch`. */
export const incidentWatchSchema = z.object({
  /** The last watch of the incident; null when it never had one. */
  watch: placeWatchSchema.nullable(),
  /** The places that a watch would be for: those of the report. */
  places: z.array(watchPlaceSchema),
  /** What the last failure carried; null when there is none, or its event has expired. */
  watched: watchedSchema.nullable(),
});
export type IncidentWatch = z.infer<typeof incidentWatchSchema>;

/** The answer to `GET /api/watches`: what is being watched now, and the key that orders are signed with. */
export const watchListSchema = z.object({ watches: z.array(placeWatchSchema), key: z.string() });
export type WatchList = z.infer<typeof watchListSchema>;
