import { z } from "zod";
import { levels } from "../level.ts";
import { eventTypes } from "../telemetry/telemetry.ts";
import { timestampSchema } from "../text.ts";

/** One stored event that reports a failure: enough to decide whether an incident opens, without reading it. */
export const failureSchema = z.object({
  event_id: z.string(),
  fingerprint: z.string(),
  service: z.string(),
  env: z.string(),
  release: z.string(),
  type: z.enum(eventTypes),
  level: z.enum(levels),
  title: z.string(),
  mechanism: z.string(),
  handled: z.boolean(),
  at: timestampSchema,
  /** Whether it has a trace, */
  traced: z.boolean().optional(),
  /** and whether a call that the process made shortly before it failed, or was refused, or had no answer. */
  has_failed_calls: z.boolean().optional(),
});
export type Failure = z.infer<typeof failureSchema>;

/** What the writer tells the analyzer about a batch that it has stored. Failures of every environment are in it. */
export const failureMessageSchema = z.object({ scope_id: z.string(), failures: z.array(failureSchema).min(1) });
export type FailureMessage = z.infer<typeof failureMessageSchema>;
