import { z } from "zod";
import { timestampSchema } from "../text.ts";

/** How one service is in one environment. */
export const serviceSchema = z.object({
  service: z.string(),
  env: z.string(),
  /** Of the process seen last; null when it reported none. */
  release: z.string().nullable(),
  last_heard_at: timestampSchema,
  /** Where its client keeps events until they are sent; null when in memory only, or when it doesn't say. */
  spool_folder: z.string().nullable(),
  /** Why its client keeps events in memory only; null when it doesn't, or doesn't say. */
  spool_off: z.string().nullable(),
  /** Processes that reported in the last two and a half minutes and have not ended. */
  processes: z.int().min(0),
  /** Failing events of the service, in whichever environment, by hour of the last day; hours without any left out. */
  failures: z.array(z.object({ hour: timestampSchema, events: z.int().min(0) })),
  /**
   * Requests that its servers answered, and those answered with 500 and above, by hour of the last day; hours without any
   * left out. None: how many requests it has is not known.
   */
  answers: z.array(z.object({ hour: timestampSchema, requests: z.int().min(0), failed: z.int().min(0) })),
  /** Incidents that opened in the last day. */
  incidents: z.int().min(0),
});
export type Service = z.infer<typeof serviceSchema>;
