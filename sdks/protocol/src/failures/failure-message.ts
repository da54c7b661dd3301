import { z } from "zod";
import { levels } from "../level.ts";
import { eventTypes } from "../telemetry/telemetry.ts";
import { timestampSchema } from "../text.ts";

/** One stored event that reports a failure, with what it takes to decide whether an incident opens. */
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
  /** Whether the event belongs to a trace. */
  traced: z.boolean().optional(),
  /** Whether a call that the process made shortly before it failed, was refused, or got no answer. */
  has_failed_calls: z.boolean().optional(),
  /** The order by which places were watched on the way to it. */
  watch: z.string().optional(),
});
export type Failure = z.infer<typeof failureSchema>;

/** The writer's message to the analyzer about a stored batch, with its failures in every environment. */
export const failureMessageSchema = z.object({ scope_id: z.string(), failures: z.array(failureSchema).min(1) });
export type FailureMessage = z.infer<typeof failureMessageSchema>;
