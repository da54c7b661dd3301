import { z } from "zod";
import { limits } from "../limits.ts";
import { timestampSchema } from "../text.ts";
import { checkInCheckSchema, checkInStatuses, monitorChangeSchema } from "./monitor.ts";

/** What a client says about the schedule of a job whose run it reports: the monitor that it makes. */
export const describedJobSchema = checkInCheckSchema
  .pick({ schedule: true, grace_minutes: true, max_runtime_minutes: true })
  .extend({ alert_after: monitorChangeSchema.shape.alert_after });
export type DescribedJob = z.infer<typeof describedJobSchema>;

/**
 * A run of a job as a client of Sentry's reports it, on its way from the gateway to the analyzer. Its message is
 * delivered at least once, and not always in order.
 */
export const reportedRunSchema = z.object({
  scope_id: z.string(),
  /** Of the DSN. */
  project_id: z.string(),
  service: z.string().max(limits.serviceLengthMax),
  env: z.string().max(limits.serviceLengthMax),
  slug: checkInCheckSchema.shape.slug,
  status: z.enum(checkInStatuses),
  /** The same at a run's beginning and its end; null when its client names no run. */
  run_id: z.string().nullable(),
  /** As the client measured it. */
  duration_ms: z.int().min(0).nullable(),
  /** When a gateway received it. */
  at: timestampSchema,
  /** Null when the client describes no schedule, or none that a monitor can have. */
  job: describedJobSchema.nullable(),
});
export type ReportedRun = z.infer<typeof reportedRunSchema>;
