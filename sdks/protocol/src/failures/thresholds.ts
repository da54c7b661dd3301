import { z } from "zod";

const hoursMax = 8_760;
const mutedMax = 1_000;
const nameLengthMax = 200;
const names = z.array(z.string().min(1).max(nameLengthMax)).max(mutedMax).default([]);

/**
 * When a failure of an organization becomes an incident. The defaults open one at the first occurrence of whatever was
 * never seen before.
 */
export const incidentThresholdsSchema = z.object({
  /** Occurrences within `window_minutes` before a failure opens its first incident. */
  min_events: z.int().min(1).max(1_000_000).default(1),
  /** The span in which occurrences are counted, also for a spike. */
  window_minutes: z.int().min(1).max(1_440).default(5),
  /** A failure that was away for so long and comes back opens another incident. */
  quiet_hours: z.int().min(1).max(hoursMax).default(168),
  /** A spike has so many times the most that the failure had in a window before. */
  spike_factor: z.number().min(2).max(1_000).default(5),
  /** Incidents that telemetry may open in an hour. */
  incidents_per_hour: z.int().min(1).max(100_000).default(1_000),
  /** Incidents that the alerts of one source, and the requests in its conversations, may open in an hour. */
  source_incidents_per_hour: z.int().min(1).max(1_000_000).default(10_000),
  /** A failure may join an incident that opened so long ago, when one follows from the other; 0: none joins another. */
  join_minutes: z.int().min(0).max(1_440).default(30),
  /** Fingerprints of failures that open none. */
  muted_fingerprints: names,
  /** Services whose failures open none. */
  muted_services: names,
});
export type IncidentThresholds = z.infer<typeof incidentThresholdsSchema>;
