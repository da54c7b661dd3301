import { z } from "zod";

const hoursMax = 8_760;
const mutedMax = 1_000;
const nameLengthMax = 200;
const names = z.array(z.string().min(1).max(nameLengthMax)).max(mutedMax).default([]);

/**
 * When a failure of an organization becomes an incident. By default, the first occurrence of a new failure opens one.
 */
export const incidentThresholdsSchema = z.object({
  /** Occurrences within `window_minutes` before a failure opens its first incident. */
  min_events: z.int().min(1).max(1_000_000).default(1),
  /** The window in which occurrences are counted, also for a spike. */
  window_minutes: z.int().min(1).max(1_440).default(5),
  /** A failure that returns after at least this long opens another incident. */
  quiet_hours: z.int().min(1).max(hoursMax).default(168),
  /** A spike is a window with at least this many times the failure's previous maximum. */
  spike_factor: z.number().min(2).max(1_000).default(5),
  /** Incidents that telemetry may open per hour. */
  incidents_per_hour: z.int().min(1).max(100_000).default(1_000),
  /** Incidents per hour that the alerts of one source, and the requests in its conversations, may open. */
  source_incidents_per_hour: z.int().min(1).max(1_000_000).default(10_000),
  /** How old an incident may be for a related failure to join it; 0 turns joining off. */
  join_minutes: z.int().min(0).max(1_440).default(30),
  /** Fingerprints of failures that open no incident. */
  muted_fingerprints: names,
  /** Services whose failures open no incident. */
  muted_services: names,
});
export type IncidentThresholds = z.infer<typeof incidentThresholdsSchema>;
