import { z } from "zod";

const number = z.number().nullish().catch(null);

/** What is read of a `check_in` item: a run of a job, by the name of its monitor. */
export const sentryCheckInSchema = z.object({
  /** A UUID, of zeros for the run in progress, whichever it is. */
  check_in_id: z.string().max(36).nullish().catch(null),
  monitor_slug: z.string(),
  status: z.string(),
  /** Seconds. */
  duration: number,
  environment: z.string().nullish().catch(null),
  /** The schedule of the job, with lengths in minutes; clients that don't know it send none. */
  monitor_config: z
    .object({
      schedule: z.object({
        type: z.string(),
        value: z.union([z.string(), z.number()]),
        unit: z.string().nullish(),
      }),
      checkin_margin: number,
      max_runtime: number,
      timezone: z.string().nullish().catch(null),
      failure_issue_threshold: number,
    })
    .nullish()
    .catch(null),
});
export type SentryCheckIn = z.infer<typeof sentryCheckInSchema>;
export type SentryMonitorConfig = NonNullable<SentryCheckIn["monitor_config"]>;
