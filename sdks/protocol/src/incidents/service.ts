import { z } from "zod";
import { timestampSchema } from "../text.ts";

/** The state of one service in one environment. */
export const serviceSchema = z.object({
  service: z.string(),
  env: z.string(),
  /** The release of the process seen last; null when it reported none. */
  release: z.string().nullable(),
  last_heard_at: timestampSchema,
  /**
   * The folder in which its client keeps unsent events; null when they are in memory only, or when the client doesn't
   * say.
   */
  spool_folder: z.string().nullable(),
  /** Why its client keeps events in memory only; null when it doesn't, or doesn't say. */
  spool_off: z.string().nullable(),
  /** Processes that reported in the last two and a half minutes and haven't ended. */
  processes: z.int().min(0),
  /** Failing events of the service in all environments, by hour of the last day; hours without any are left out. */
  failures: z.array(z.object({ hour: timestampSchema, events: z.int().min(0) })),
  /**
   * Requests that its servers answered, and those answered with 500 or above, by hour of the last day; hours without
   * any are left out. Empty when requests aren't counted.
   */
  answers: z.array(z.object({ hour: timestampSchema, requests: z.int().min(0), failed: z.int().min(0) })),
  /** Incidents that opened in the last day. */
  incidents: z.int().min(0),
});
export type Service = z.infer<typeof serviceSchema>;
